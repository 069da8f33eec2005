import { grownTo } from '@claude-mem/lexical-index';

/** Maps vector ids to rows in ascending order, and rows to observations. */
export interface RowIds {
  /** Number of used rows, including removed ones. */
  readonly length: number;
  readonly removed: number;
  vectorIdAt(row: number): number;
  /** Observation by row; 0 for removed rows. `append` replaces the array. */
  observationIds(): Uint32Array;
  /** The document id. Null when it has no standard name. */
  nameAt(row: number): string | null;
  append(vectorId: number, observationId: number, documentId: string): void;
  /** Removes a document. Returns its former row, or null when it is unknown. */
  remove(vectorId: number): number | null;
  /** Removes gaps. Calls `move` for each row that changes its position, in ascending order. */
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

/**
 * The part of its observation that a document represents, from its standard name, because a number needs a tenth of
 * the memory of the name.
 */
function partOf(documentId: string, observationId: number): number {
  const beginning = `obs_${observationId}_`;
  if (!documentId.startsWith(beginning)) return ODD;
  const part = documentId.slice(beginning.length);
  if (part === 'narrative') return NARRATIVE;
  const fact = Number(part.slice('fact_'.length));
  return part === `fact_${fact}` && fact >= 0 && fact < 0x8000 ? fact : ODD;
}
