interface Dated {
  id: number;
  createdAtEpoch: number;
}

/** Sorts from the newest to the oldest; of one instant, the larger id is newer. */
export const byNewest = (a: Dated, b: Dated) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id;
