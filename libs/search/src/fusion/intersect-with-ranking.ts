/**
 * Keeps the ranked items that the filters allow, each once and in order, and then adds items of `fill` in their order
 * up to the limit. Reads no further than the limit.
 */
export function intersectWithRanking<Id>(
  ranked: Iterable<Id>,
  request: {
    limit: number;
    isAllowed: (id: Id) => boolean;
    /** All items that the filters allow, such as newest first. @default none */
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
