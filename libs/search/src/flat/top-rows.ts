/**
 * The best of many rows, kept in a heap with the worst on top. Equal scores: the row of the newer observation, then the
 * earlier row.
 */
export interface TopRows {
  /** Below this score nothing gets in any more. */
  floor(): number;
  offer(score: number, row: number): void;
  /** Best first. */
  take(): { row: number; score: number }[];
}

export function createTopRows(limit: number, observationOf: (row: number) => number): TopRows {
  const scores: number[] = [];
  const rows: number[] = [];

  const isWorse = (leftScore: number, leftRow: number, rightScore: number, rightRow: number) => {
    if (leftScore !== rightScore) return leftScore < rightScore;
    const left = observationOf(leftRow);
    const right = observationOf(rightRow);
    return left === right ? leftRow > rightRow : left < right;
  };
  const place = (at: number, score: number, row: number) => {
    scores[at] = score;
    rows[at] = row;
  };
  const sinkFromTop = (score: number, row: number) => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= rows.length) break;
      if (
        child + 1 < rows.length &&
        isWorse(scores[child + 1]!, rows[child + 1]!, scores[child]!, rows[child]!)
      )
        child += 1;
      if (!isWorse(scores[child]!, rows[child]!, score, row)) break;
      place(at, scores[child]!, rows[child]!);
      at = child;
    }
    place(at, score, row);
  };
  const rise = (score: number, row: number) => {
    let at = rows.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(score, row, scores[parent]!, rows[parent]!)) break;
      place(at, scores[parent]!, rows[parent]!);
      at = parent;
    }
    place(at, score, row);
  };

  return {
    floor: () => (rows.length < limit ? -Infinity : scores[0]!),
    offer(score, row) {
      if (rows.length < limit) rise(score, row);
      else if (isWorse(scores[0]!, rows[0]!, score, row)) sinkFromTop(score, row);
    },
    take: () =>
      rows
        .map((row, index) => ({ row, score: scores[index]! }))
        .sort((left, right) => (isWorse(left.score, left.row, right.score, right.row) ? 1 : -1)),
  };
}
