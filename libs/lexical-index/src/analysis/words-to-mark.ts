import { analyzeQuery } from './analyze-query.js';
import { foldText } from './fold-text.js';
import { scanText } from './scan-text.js';

const MOST_WORDS = 200;
const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces, in which pairs of characters match instead of words. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/**
 * Returns the unique words of the texts that match a query, in lower case, for highlighting.
 * @param prefix the last word of the query matches as a prefix
 */
export function wordsToMark(
  query: string,
  texts: Iterable<string>,
  { prefix = false }: { prefix?: boolean } = {},
): readonly string[] {
  const all = analyzeQuery(query).terms;
  const telling = all.filter(({ isCommon }) => !isCommon);
  const wanted = new Set((telling.length > 0 ? telling : all).map(({ term }) => term));
  const beginning = prefix ? all.at(-1)?.term : undefined;
  const isWanted = (term: string) =>
    wanted.has(term) || (beginning !== undefined && term.startsWith(beginning));
  const pairs = [...wanted].filter((term) => PAIRED.test(term));
  const looked = new Set<string>();
  const found = new Set<string>();
  for (const text of texts)
    for (const [run] of text.matchAll(RUNS)) {
      if (looked.has(run)) continue;
      looked.add(run);
      if (PAIRED.test(run)) {
        const folded = foldText(run);
        for (const pair of pairs) if (folded.includes(pair)) found.add(pair);
      } else if (hasTerm(run, isWanted)) found.add(run.toLowerCase());
      if (found.size >= MOST_WORDS) return [...found];
    }
  return [...found];
}

function hasTerm(text: string, isWanted: (term: string) => boolean): boolean {
  let isFound = false;
  const look = (term: string) => {
    isFound ||= isWanted(term);
  };
  scanText(text, { word: look, compound: look, piece: look });
  return isFound;
}
