import { scanText } from './scan-text.js';

/** Returns the words of a text in order, folded and stemmed, for phrase matching. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  scanText(text, { word: (term) => words.push(term), compound: () => undefined, piece: () => undefined });
  return words;
}
