import { webAssembly, type WebAssemblyMemory } from '../web-assembly.js';
import { VECTOR_KERNELS_WASM } from './vector-kernels-wasm.js';

/** Where things lie in the one memory of the kernels, in bytes. */
export const QUERY_AT = 0;
/** Place for one row that is not kept. */
export const ROW_AT = 32 * 1024;
/** Of one scan: the score of each row, or how many sketches are at each distance. */
export const SCORES_AT = 64 * 1024;
/** Place for rows that are not kept, `SPARE_BYTES` long. */
export const SPARE_AT = 128 * 1024;
export const SPARE_BYTES = 64 * 1024;
export const ROWS_AT = 3 * 64 * 1024;
/** Rows of one call, as many as the place for scores holds. */
export const ROWS_PER_SCAN = 16 * 1024;

/** Arithmetic on rows that lie in one memory; all of it in whole numbers, so every implementation gives the same. */
export interface VectorKernels {
  readonly name: 'simd' | 'plain';
  /** Another one after `reserve`: views are made anew. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least this large and keeps what is in it. */
  reserve(bytes: number): void;
  /** Writes query · row to `SCORES_AT` for each row, as i32. The query lies at `QUERY_AT` as i16; `size` is a multiple of 16. */
  scanRows(rows: number, count: number, size: number): void;
  /** Writes the signs of the row at `ROW_AT`: one bit per number, 1 where it is below 0. `size` is a multiple of 128. */
  sketchRow(sketch: number, size: number): void;
  /**
   * Writes to `distances` in how many bits each sketch differs from the one at `QUERY_AT`, as u16, and adds to the i32 of each
   * distance at `SCORES_AT` how many are there. `size` is that of a sketch in bytes, a multiple of 16.
   */
  scanSketches(sketches: number, distances: number, count: number, size: number): void;
}

/** With SIMD where the machine has it. */
export function createVectorKernels(): VectorKernels {
  return createSimdKernels() ?? createPlainKernels();
}

/** Null where SIMD is missing. */
export function createSimdKernels(): VectorKernels | null {
  const bytes = Buffer.from(VECTOR_KERNELS_WASM, 'base64');
  if (webAssembly === undefined || !webAssembly.validate(bytes)) return null;
  const kernels = new webAssembly.Instance(new webAssembly.Module(bytes)).exports as unknown as SimdExports;
  return {
    name: 'simd',
    get buffer() {
      return kernels.memory.buffer;
    },
    reserve(bytesWanted) {
      const missing = Math.ceil((bytesWanted - kernels.memory.buffer.byteLength) / PAGE);
      if (missing > 0) kernels.memory.grow(missing);
    },
    scanRows: (rows, count, size) => kernels.scanRows(QUERY_AT, rows, SCORES_AT, count, size),
    sketchRow: (sketch, size) => kernels.sketchRow(ROW_AT, sketch, size),
    scanSketches: (sketches, distances, count, size) =>
      kernels.scanSketches(QUERY_AT, sketches, distances, SCORES_AT, count, size),
  };
}

export function createPlainKernels(): VectorKernels {
  let buffer = new ArrayBuffer(ROWS_AT);
  return {
    name: 'plain',
    get buffer() {
      return buffer;
    },
    reserve(bytes) {
      if (bytes <= buffer.byteLength) return;
      const larger = new ArrayBuffer(Math.ceil(bytes / PAGE) * PAGE);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    },
    scanRows(rows, count, size) {
      const query = new Int16Array(buffer, QUERY_AT, size);
      const values = new Int8Array(buffer, rows, count * size);
      const scores = new Int32Array(buffer, SCORES_AT, count);
      for (let row = 0; row < count; row += 1) {
        const start = row * size;
        let sum = 0;
        for (let index = 0; index < size; index += 1) sum += query[index]! * values[start + index]!;
        scores[row] = sum;
      }
    },
    sketchRow(sketch, size) {
      const values = new Int8Array(buffer, ROW_AT, size);
      const bytes = new Uint8Array(buffer, sketch, size / 8);
      for (let byte = 0; byte < bytes.length; byte += 1) {
        let bits = 0;
        for (let bit = 0; bit < 8; bit += 1) if (values[byte * 8 + bit]! < 0) bits |= 1 << bit;
        bytes[byte] = bits;
      }
    },
    scanSketches(sketches, distancesAt, count, size) {
      const words = size / 4;
      const query = new Uint32Array(buffer, QUERY_AT, words);
      const values = new Uint32Array(buffer, sketches, count * words);
      const distances = new Uint16Array(buffer, distancesAt, count);
      const tally = new Int32Array(buffer, SCORES_AT, size * 8 + 1);
      for (let sketch = 0; sketch < count; sketch += 1) {
        let sum = 0;
        for (let word = 0; word < words; word += 1)
          sum += bitsIn(query[word]! ^ values[sketch * words + word]!);
        distances[sketch] = sum;
        tally[sum]! += 1;
      }
    },
  };
}

const PAGE = 64 * 1024;

interface SimdExports {
  memory: WebAssemblyMemory;
  scanRows(query: number, rows: number, scores: number, count: number, size: number): void;
  sketchRow(row: number, sketch: number, size: number): void;
  scanSketches(
    query: number,
    sketches: number,
    distances: number,
    tally: number,
    count: number,
    size: number,
  ): void;
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}
