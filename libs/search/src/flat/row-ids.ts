import { grownTo } from './growing-array.js';

/** Which vector lies in which row, in ascending order of vectors, and whose it is. */
export interface RowIds {
  /** Rows in use, removed ones included. */
  readonly length: number;
  readonly removed: number;
  /** Largest vector id so far. */
  readonly lastVectorId: number;
  vectorIdAt(row: number): number;
  /** By row; 0: removed. Another array after `append`. */
  observationIds(): Uint32Array;
  append(vectorId: number, observationId: number): void;
  /** Unknown ones are passed over. */
  remove(vectorId: number): void;
  /** Closes the gaps; calls `move` for each row that lies elsewhere then, in ascending order. */
  compact(move: (from: number, to: number) => void): void;
}

export function createRowIds(): RowIds {
  let vectorIds = new Float64Array(0);
  let observationIds = new Uint32Array(0);
  let length = 0;
  let removed = 0;
  let lastVectorId = 0;

  const rowOf = (vectorId: number): number => {
    let low = 0;
    let high = length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (vectorIds[middle] === vectorId) return middle;
      if (vectorIds[middle]! < vectorId) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };

  return {
    get length() {
      return length;
    },
    get removed() {
      return removed;
    },
    get lastVectorId() {
      return lastVectorId;
    },
    vectorIdAt: (row) => vectorIds[row]!,
    observationIds: () => observationIds,
    append(vectorId, observationId) {
      vectorIds = grownTo(vectorIds, length + 1);
      observationIds = grownTo(observationIds, length + 1);
      vectorIds[length] = vectorId;
      observationIds[length] = observationId;
      lastVectorId = vectorId;
      length += 1;
    },
    remove(vectorId) {
      const row = rowOf(vectorId);
      if (row < 0 || observationIds[row] === 0) return;
      observationIds[row] = 0;
      removed += 1;
    },
    compact(move) {
      let to = 0;
      for (let from = 0; from < length; from += 1) {
        if (observationIds[from] === 0) continue;
        if (from !== to) {
          vectorIds[to] = vectorIds[from]!;
          observationIds[to] = observationIds[from]!;
          move(from, to);
        }
        to += 1;
      }
      length = to;
      removed = 0;
    },
  };
}
