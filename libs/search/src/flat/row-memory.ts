import { ROWS_AT, ROWS_PER_CALL, type SketchBlock, type VectorKernels } from './vector-kernels.js';

/**
 * Rows in the memory of the kernels. A block contains the sketches of many rows, then their owners, their distances
 * for one query, and their values.
 */
export interface RowMemory {
  /** All of the memory. `allocate` and `addRow` replace it. */
  readonly bytes: Uint8Array;
  /** Returns an address. */
  allocate(size: number): number;
  /** Makes space for the next row. */
  addRow(row: number): void;
  sketchAt(row: number): number;
  valuesAt(row: number): number;
  setOwner(row: number, observationId: number): void;
  /** Calls `work` with the blocks of the first `length` rows, and the first row of each. */
  eachBlock(length: number, work: (block: SketchBlock, start: number) => void): void;
}

/** Sizes are in bytes per row. `valuesSize` is 0 when the values are not in memory. */
export function createRowMemory(
  kernels: VectorKernels,
  { sketchSize, valuesSize }: { sketchSize: number; valuesSize: number },
): RowMemory {
  const blocks: number[] = [];
  let end = ROWS_AT;
  let bytes = new Uint8Array(kernels.buffer);

  const allocate = (size: number): number => {
    const at = end;
    end += Math.ceil(size / 16) * 16;
    kernels.reserve(end);
    bytes = new Uint8Array(kernels.buffer);
    return at;
  };
  const blockOf = (row: number) => blocks[Math.floor(row / ROWS_PER_CALL)]!;
  const sketchAt = (row: number) => blockOf(row) + (row % ROWS_PER_CALL) * sketchSize;
  const ownersAt = (block: number) => block + ROWS_PER_CALL * sketchSize;
  const distancesAt = (block: number) => ownersAt(block) + ROWS_PER_CALL * 4;
  const valuesAt = (row: number) =>
    distancesAt(blockOf(row)) + ROWS_PER_CALL * 2 + (row % ROWS_PER_CALL) * valuesSize;

  return {
    get bytes() {
      return bytes;
    },
    allocate,
    addRow(row) {
      if (row === blocks.length * ROWS_PER_CALL)
        blocks.push(allocate(ROWS_PER_CALL * (sketchSize + 4 + 2 + valuesSize)));
    },
    sketchAt,
    valuesAt,
    setOwner(row, observationId) {
      const owners = new Uint32Array(kernels.buffer, ownersAt(blockOf(row)), ROWS_PER_CALL);
      owners[row % ROWS_PER_CALL] = observationId;
    },
    eachBlock(length, work) {
      for (let start = 0; start < length; start += ROWS_PER_CALL) {
        const sketches = blockOf(start);
        const [owners, distances] = [ownersAt(sketches), distancesAt(sketches)];
        const count = Math.min(ROWS_PER_CALL, length - start);
        work({ sketches, owners, distances, count, size: sketchSize }, start);
      }
    },
  };
}
