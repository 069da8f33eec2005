import { grownTo } from '../growing-array.js';

/** Which vector lies in which row, in ascending order of vectors, and whose it is. */
export interface RowIds {
  /** Rows in use, removed ones included. */
  readonly length: number;
  readonly removed: number;
  vectorIdAt(row: number): number;
  /** By row; 0: removed. Another array after `append`. */
  observationIds(): Uint32Array;
  /** What its document is called; null: it has no usual name. */
  nameAt(row: number): string | null;
  append(vectorId: number, observationId: number, documentId: string): void;
  /** The row in which it was; null: it is unknown. */
  remove(vectorId: number): number | null;
  /** Closes the gaps; calls `move` for each row that lies elsewhere then, in ascending order. */
  compact(move: (from: number, to: number) => void): void;
}

export function createRowIds(): RowIds {
  let vectorIds = new Float64Array(0);
  let observationIds = new Uint32Array(0);
  let parts = new Int16Array(0);
  let length = 0;
  let removed = 0;

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
    vectorIdAt: (row) => vectorIds[row]!,
    observationIds: () => observationIds,
    nameAt(row) {
      const part = parts[row]!;
      if (part === ODD) return null;
      return `obs_${observationIds[row]}_${part === NARRATIVE ? 'narrative' : `fact_${part}`}`;
    },
    append(vectorId, observationId, documentId) {
      parts = grownTo(parts, length + 1);
      parts[length] = partOf(documentId, observationId);
      vectorIds = grownTo(vectorIds, length + 1);
      observationIds = grownTo(observationIds, length + 1);
      vectorIds[length] = vectorId;
      observationIds[length] = observationId;
      length += 1;
    },
    remove(vectorId) {
      const row = rowOf(vectorId);
      if (row < 0 || observationIds[row] === 0) return null;
      observationIds[row] = 0;
      removed += 1;
      return row;
    },
    compact(move) {
      let to = 0;
      for (let from = 0; from < length; from += 1) {
        if (observationIds[from] === 0) continue;
        if (from !== to) {
          vectorIds[to] = vectorIds[from]!;
          observationIds[to] = observationIds[from]!;
          parts[to] = parts[from]!;
          move(from, to);
        }
        to += 1;
      }
      length = to;
      removed = 0;
    },
  };
}

const NARRATIVE = -1;
const ODD = -2;

/** Which part of its observation a document is, by its usual name: a number takes a tenth of the name's room. */
function partOf(documentId: string, observationId: number): number {
  const beginning = `obs_${observationId}_`;
  if (!documentId.startsWith(beginning)) return ODD;
  const part = documentId.slice(beginning.length);
  if (part === 'narrative') return NARRATIVE;
  const fact = Number(part.slice('fact_'.length));
  return part === `fact_${fact}` && fact >= 0 && fact < 0x8000 ? fact : ODD;
}
