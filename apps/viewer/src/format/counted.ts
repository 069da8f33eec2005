import { formatCount } from './format-number.js';

/** Formats a count with its noun: `1 session`, `1,204 sessions`. */
export const counted = (count: number, word: string, words = `${word}s`) =>
  `${formatCount(count)} ${count === 1 ? word : words}`;
