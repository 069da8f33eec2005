import { closest, distance } from 'fastest-levenshtein';

/** Returns the most similar word, or null when no word is similar enough for a suggestion. */
export function closestWord(word: string, words: readonly string[]): string | null {
  const best = closest(word, words);
  return distance(word, best) <= Math.max(1, Math.floor(word.length / 3)) ? best : null;
}
