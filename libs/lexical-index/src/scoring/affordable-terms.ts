import type { QueryTerm } from '../analysis/analyze-query.js';

/** A common word in more records than this is skipped. */
const MOST_OF_COMMON = 20_000;
/** Maximum number of postings that are read for one query, those of the rarest terms first. */
const MOST_POSTINGS = 1_500_000;

/**
 * Returns the terms to read, rarest first and common ones last. Terms of nearly all records say little and cost most.
 * With up to `MOST_OF_COMMON` records, all terms are read.
 */
export function affordableTerms(
  terms: readonly QueryTerm[],
  costOf: (term: QueryTerm) => number,
): readonly QueryTerm[] {
  let spent = 0;
  return terms
    .filter(({ weight }) => weight > 0)
    .map((term) => ({ term, cost: costOf(term) }))
    .toSorted(
      (left, right) =>
        Number(left.term.isCommon ?? false) - Number(right.term.isCommon ?? false) ||
        left.cost - right.cost ||
        (left.term.term < right.term.term ? -1 : 1),
    )
    .filter(({ term, cost }, place) => {
      if (place > 0 && (spent + cost > MOST_POSTINGS || (term.isCommon && cost > MOST_OF_COMMON)))
        return false;
      spent += cost;
      return true;
    })
    .map(({ term }) => term);
}
