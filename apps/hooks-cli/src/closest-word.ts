import { closest, distance } from 'fastest-levenshtein';

/** The word that was probably meant, or null when none is near. */
export function closestWord(word: string, words: readonly string[]): string | null {
  const best = closest(word, words);
  return distance(word, best) <= Math.max(1, Math.floor(word.length / 3)) ? best : null;
}
