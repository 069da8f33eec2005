/**
 * Keeps of a ranking what the filters allow, in the order of the ranking and each once, and fills up to the limit with
 * what `fill` gives, in its order. Nothing is taken from either beyond the limit.
 */
export function intersectWithRanking<Id>(
  ranked: Iterable<Id>,
  request: {
    limit: number;
    isAllowed: (id: Id) => boolean;
    /** All that the filters allow, such as newest first. @default nothing is filled up */
    fill?: Iterable<Id>;
  },
): Id[] {
  const { limit, isAllowed, fill = [] } = request;
  const kept = new Set<Id>();
  for (const source of [ranked, fill]) {
    if (kept.size >= limit) break;
    for (const id of source) {
      if (isAllowed(id)) kept.add(id);
      if (kept.size >= limit) break;
    }
  }
  return [...kept];
}
