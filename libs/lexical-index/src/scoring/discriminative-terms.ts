import type { QueryTerm } from '../analysis/analyze-query.js';
import { rareness } from './term-postings.js';

/** Maximum number of terms of a query that are looked up, not counting common ones. */
const MOST_TERMS = 40;

/**
 * Returns the discriminative terms of a long query, by weight and rareness; all terms of a short one. In a hundred words, the many
 * common words match more than the few that are meant, and each word costs time. Terms without records are dropped first.
 */
export function discriminativeTerms(
  terms: readonly QueryTerm[],
  countOf: (term: QueryTerm) => number,
  /** Number of all records. */
  total: number,
): readonly QueryTerm[] {
  const others = terms.filter(({ isCommon }) => !isCommon);
  if (others.length <= MOST_TERMS) return terms;
  const ranked = others
    .map((term) => {
      const count = countOf(term);
      return { term, score: count > 0 ? term.weight * rareness(total, count) : 0 };
    })
    .sort((left, right) => right.score - left.score || (left.term.term < right.term.term ? -1 : 1));
  const kept = new Set(ranked.slice(0, MOST_TERMS).map(({ term }) => term));
  return terms.filter((term) => term.isCommon ?? kept.has(term));
}
