import { wordsOf } from './words-of.js';

export interface QueryTerm {
  term: string;
  /** How much of the user's own word it is: 1 for the word itself, less for its parts. */
  weight: number;
}

export interface AnalyzedQuery {
  /** Each once; empty when the text holds nothing to search for. */
  terms: readonly QueryTerm[];
  /** In order, for phrases. */
  words: readonly string[];
}

/** The terms to look up for what a person typed. */
export function analyzeQuery(query: string): AnalyzedQuery {
  const words = wordsOf(query);
  return { terms: [...new Set(words)].map((term) => ({ term, weight: 1 })), words };
}
