interface Dated {
  id: number;
  createdAtEpoch: number;
}

/** Sorts from newest to oldest. Of two records with the same time, the larger id comes first. */
export const byNewest = (a: Dated, b: Dated) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id;
