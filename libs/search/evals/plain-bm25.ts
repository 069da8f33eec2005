import { porterStem } from './porter-stem.js';

/** Plain BM25 over stemmed words, with one field per record. All figures are compared with its results. */
export interface PlainBm25 {
  /** Returns the indexes and scores of the matching texts, best first. Equal scores are ordered by index. */
  search(query: string): { index: number; score: number }[];
}

const K1 = 0.9;
const B = 0.4;
const STOP_WORDS = new Set(
  `a an the of in on to for and or with is are was were be it its this that we i how why who which where what when do
  does did not no so by at as from up off out`.split(/\s+/),
);

export function createPlainBm25(texts: readonly string[]): PlainBm25 {
  const lengths: number[] = [];
  const postings = new Map<string, Map<number, number>>();
  for (const [index, text] of texts.entries()) {
    const words = wordsOf(text);
    lengths.push(words.length);
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      counts.set(index, (counts.get(index) ?? 0) + 1);
      postings.set(word, counts);
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return {
    search(query) {
      const scores = new Map<number, number>();
      for (const word of new Set(wordsOf(query))) {
        const counts = postings.get(word) ?? new Map<number, number>();
        const idf = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [index, count] of counts) {
          const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / average);
          scores.set(index, (scores.get(index) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
        }
      }
      return [...scores]
        .map(([index, score]) => ({ index, score }))
        .sort((a, b) => b.score - a.score || a.index - b.index);
    },
  };
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(porterStem);
}
