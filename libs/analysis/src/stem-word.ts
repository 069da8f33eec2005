import { stemmer } from 'stemmer';

/** What a folded, lowercased word has in common with its other forms; words that are not English letters stay. */
export function stemWord(word: string): string {
  return ENGLISH_LETTERS.test(word) ? stemmer(word) : word;
}

const ENGLISH_LETTERS = /^[a-z]{3,}$/;
