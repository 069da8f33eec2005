/** Splits a reason at ids of records, as in `superseded by #12`. */
export function splitIds(reason: string): (string | { id: number })[] {
  return reason
    .split(/#(\d{1,15})(?!\d)/)
    .map((part, at) => (at % 2 === 1 ? { id: Number(part) } : part))
    .filter((part) => part !== '' && (typeof part === 'string' || part.id > 0));
}

/** Counts equal reasons, most frequent first. Ids in a reason are ignored. */
export function countReasons(reasons: readonly string[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const why = reason.replace(/ #\d+$/, ' another');
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}
