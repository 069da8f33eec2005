import { scanText } from './scan-text.js';

/** The words of a text in their order, folded and stemmed; what a phrase is matched by. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  scanText(text, { word: (term) => words.push(term), whole: () => undefined, piece: () => undefined });
  return words;
}
