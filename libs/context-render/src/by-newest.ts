interface Dated {
  id: number;
  createdAtEpoch: number;
}

/** Sorts from newest to oldest. At the same time, the larger id is newer. */
export const byNewest = (a: Dated, b: Dated) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id;
