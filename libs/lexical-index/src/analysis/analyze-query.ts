import { foldText } from './fold-text.js';
import { latinWords } from './latin-languages.js';
import { fileTerms } from './marker-terms.js';
import { scanText } from './scan-text.js';
import { stemWord } from './stem-word.js';
import { STOP_WORDS } from './stop-words.js';

export interface QueryTerm {
  term: string;
  /** How much of the user's own word it is: 1 for the word itself, less for its parts and for common words, more for what is repeated. */
  weight: number;
  /** It ranks what other terms find, and finds nothing by itself. */
  isCommon?: true;
  /** The word as typed, for records in languages whose stems differ. */
  word?: string;
}

export interface AnalyzedQuery {
  /** Each once, as typed; empty when the text holds nothing to search for. */
  terms: readonly QueryTerm[];
}

/** The terms to look up for what a person typed. Common words only rank, except where there are no others. */
export function analyzeQuery(query: string): AnalyzedQuery {
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  const want = (term: string, weight: number) => {
    weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  scanText(query, {
    word: (term, isPart) => want(term, isPart ? PART_WEIGHT : 1),
    whole(term) {
      want(term, 1);
      if (term.includes('/')) want(fileTerms(term).whole, 1);
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
/** A language's name says in what world something is, seldom which record is meant: the records of one project have one language. */
const LANGUAGE_WEIGHT = 0.4;
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(
  'c# c++ elixir golang haskell java javascript kotlin perl php python ruby rust scala swift typescript'
    .split(' ')
    .map((name) => stemWord(name)),
);
const MOST_TERMS = 512;
