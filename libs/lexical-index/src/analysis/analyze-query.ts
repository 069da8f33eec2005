import { foldText } from './fold-text.js';
import { latinWords } from './latin-languages.js';
import { fileTerms } from './marker-terms.js';
import { scanText } from './scan-text.js';
import { stemWord } from './stem-word.js';
import { STOP_WORDS } from './stop-words.js';

export interface QueryTerm {
  term: string;
  /**
   * The weight of the term: 1 for the word itself, less for its parts and for common words, more for repeated words.
   */
  weight: number;
  /** True when the term only ranks records that other terms find. */
  isCommon?: true;
  /** The word as typed, for records in languages with other stems. */
  word?: string;
}

export interface AnalyzedQuery {
  /** Unique words as typed. Empty when the text contains nothing to search for. */
  terms: readonly QueryTerm[];
}

/** Returns the terms of a query. Common words only rank, unless there are no others. */
export function analyzeQuery(query: string): AnalyzedQuery {
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  const want = (term: string, weight: number) => {
    weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  scanText(query, {
    word: (term, isPart) => want(term, isPart ? PART_WEIGHT : 1),
    compound(term) {
      want(term, 1);
      if (term.includes('/')) want(fileTerms(term).complete, 1);
    },
    piece: () => undefined,
  });
  const typed = new Map(latinWords(query).map((word) => [stemWord(foldText(word)), word]));
  const hasOthers = Array.from(weights.keys()).some((term) => !STOP_WORDS.has(term));
  const terms = Array.from(weights, ([term, weight]): QueryTerm => {
    const repeated =
      weight * (1 + Math.log(counts.get(term) ?? 1)) * (LANGUAGE_NAMES.has(term) ? LANGUAGE_WEIGHT : 1);
    if (hasOthers && STOP_WORDS.has(term)) return { term, weight: repeated * COMMON_WEIGHT, isCommon: true };
    const word = STOP_WORDS.has(term) ? undefined : typed.get(term);
    return { term, weight: repeated, ...(word !== undefined && { word }) };
  });
  return { terms: terms.slice(0, MOST_TERMS) };
}

const PART_WEIGHT = 0.5;
const COMMON_WEIGHT = 0.3;
/** The name of a language rarely identifies a record, because the records of a project mostly have one language. */
const LANGUAGE_WEIGHT = 0.4;
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(
  'c# c++ elixir golang haskell java javascript kotlin perl php python ruby rust scala swift typescript'
    .split(' ')
    .map((name) => stemWord(name)),
);
const MOST_TERMS = 512;
