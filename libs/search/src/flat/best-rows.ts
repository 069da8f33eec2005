/**
 * Returns the `limit` rows with the largest sums, in the same order. Of rows with the last sum, the later ones are
 * taken. No sum is further from 0 than `most`.
 */
export function bestRows(
  { rows, sums }: { rows: Uint32Array; sums: Int32Array },
  limit: number,
  most: number,
): Uint32Array {
  if (rows.length <= limit) return rows;
  const tally = new Uint32Array(2 * most + 1);
  for (const sum of sums) tally[most + sum]! += 1;
  let last = 2 * most;
  let within = 0;
  while (within + tally[last]! < limit) {
    within += tally[last]!;
    last -= 1;
  }
  let skipped = within + tally[last]! - limit;
  const best = new Uint32Array(limit);
  let found = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const place = most + sums[index]!;
    if (place < last) continue;
    if (place === last && skipped > 0) skipped -= 1;
    else {
      best[found] = rows[index]!;
      found += 1;
    }
  }
  return best;
}
