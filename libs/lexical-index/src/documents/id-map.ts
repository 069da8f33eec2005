/** Maps ids of the database to slots, with four bytes per id for dense ids. */
export interface IdMap {
  get(id: number): number | undefined;
  set(id: number, slot: number): void;
  delete(id: number): void;
}

/** An id that is further than this above the largest known one would make the array mostly empty. */
const LARGEST_GAP = 1 << 20;

export function createIdMap(): IdMap {
  // A slot is stored as slot + 1, so that 0 means none.
  let dense = new Uint32Array(1024);
  const sparse = new Map<number, number>();
  return {
    get(id) {
      const stored = dense[id] ?? 0;
      return stored > 0 ? stored - 1 : sparse.get(id);
    },
    set(id, slot) {
      if (id >= dense.length && id < dense.length + LARGEST_GAP) {
        const larger = new Uint32Array(Math.max(id + 1, Math.ceil(dense.length * 1.5)));
        larger.set(dense);
        dense = larger;
      }
      if (id < dense.length) dense[id] = slot + 1;
      else sparse.set(id, slot);
    },
    delete(id) {
      if (id < dense.length) dense[id] = 0;
      sparse.delete(id);
    },
  };
}
