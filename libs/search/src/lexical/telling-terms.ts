import type { QueryTerm } from '@claude-mem/analysis';
import { rareness } from './term-postings.js';

/** So many terms of a query are looked up; common ones come on top. */
const MOST_TERMS = 40;

/**
 * Of a long query the terms that say most, by weight and rareness, of a short one all: among a hundred words the many that say
 * little find more than the few that are meant, and each of them costs. What stands nowhere is the first to go.
 */
export function tellingTerms(
  terms: readonly QueryTerm[],
  countOf: (term: QueryTerm) => number,
  /** Records there are. */
  total: number,
): readonly QueryTerm[] {
  const others = terms.filter(({ isCommon }) => !isCommon);
  if (others.length <= MOST_TERMS) return terms;
  const telling = others
    .map((term) => {
      const count = countOf(term);
      return { term, tells: count > 0 ? term.weight * rareness(total, count) : 0 };
    })
    .sort((left, right) => right.tells - left.tells || (left.term.term < right.term.term ? -1 : 1));
  const kept = new Set(telling.slice(0, MOST_TERMS).map(({ term }) => term));
  return terms.filter((term) => term.isCommon ?? kept.has(term));
}
