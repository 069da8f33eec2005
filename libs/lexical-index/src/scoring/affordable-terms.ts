import type { QueryTerm } from '../analysis/analyze-query.js';

/** A common word that more records hold is passed over. */
const MOST_OF_COMMON = 20_000;
/** So many postings are read for one query, those of the rarest terms first. */
const MOST_POSTINGS = 1_500_000;

/**
 * The terms that are worth reading, rarest first, the common ones behind the others: what stands nearly everywhere tells little
 * and costs most. In a memory of up to `MOST_OF_COMMON` records all of them are.
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
