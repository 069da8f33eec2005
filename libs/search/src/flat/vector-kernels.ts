import { bitsIn } from '@claude-mem/lexical-index';
import { webAssembly, type WebAssemblyMemory } from '../web-assembly.js';
import { VECTOR_KERNELS_WASM } from './vector-kernels-wasm.js';

/** Byte addresses in the memory of the kernels. For the query: its numbers, its signs, and its bit planes. */
export const QUERY_AT = 0;
export const SIGNS_AT = 16 * 1024;
const PLANES_AT = 17 * 1024;
/** Address of one temporary row. */
export const ROW_AT = 25 * 1024;
/** Number of sketches at each distance of one scan. */
export const TALLY_AT = 34 * 1024;
/** Number of sketches at the last distance that are still skipped. */
export const SKIP_AT = 67 * 1024;
/** Addresses or numbers of the rows of one call, and their scores. */
export const LIST_AT = 68 * 1024;
export const SCORES_AT = 84 * 1024;
/** Address of temporary rows, `SPARE_BYTES` long. */
export const SPARE_AT = 128 * 1024;
export const SPARE_BYTES = 64 * 1024;
export const ROWS_AT = 4 * 64 * 1024;
/** Maximum number of rows per call. */
export const ROWS_PER_CALL = 4096;

/** Integer arithmetic on rows in one memory, so that every implementation returns the same. */
export interface VectorKernels {
  readonly name: 'simd' | 'plain';
  /** Replaced by `reserve`, after which views must be created again. */
  readonly buffer: ArrayBuffer;
  /** Enlarges the memory to at least this size and keeps its content. */
  reserve(bytes: number): void;
  /**
   * Writes query · row to `SCORES_AT`, as i32, for each row whose address is in the list. The query is at `QUERY_AT`
   * as i16; `size` is a multiple of 16.
   */
  scoreRows(count: number, size: number): void;
  /**
   * Writes the signs of the row at `ROW_AT`: one bit per number, 1 when it is negative. `size` is a multiple of 128.
   */
  sketchRow(sketch: number, size: number): void;
  /**
   * Writes the number of bits in which each sketch differs from the one at `SIGNS_AT`, as u16, and counts the
   * sketches per distance. Sketches whose owner (u32) is 0 or has no 1 in the mask get `FARTHEST` and are not
   * counted.
   */
  scanSketches(block: SketchBlock, mask: { at: number; size: number } | null): void;
  /**
   * Writes the number of each row with a distance of at most `last` to the list, and to `SCORES_AT` the sum of the
   * query's numbers with the signs of the sketch, without a constant summand. Skips as many sketches at the last
   * distance as `SKIP_AT` contains. `layPlanes` writes `PLANES_AT`. Returns the number of rows.
   */
  weighSketches(block: Omit<SketchBlock, 'owners'>, last: number): number;
}

/** Sketches of at most `ROWS_PER_CALL` rows. `size` is the size of a sketch in bytes, a multiple of 16. */
export interface SketchBlock {
  sketches: number;
  owners: number;
  distances: number;
  count: number;
  size: number;
}

export const FARTHEST = 0xffff;
/** Maximum of the sums of `weighSketches`; sums of this size occur only below 0. */
export const LARGEST_SUMMAND = 8;

/** Creates the kernels, with SIMD when the machine supports it. */
export function createVectorKernels(): VectorKernels {
  return createSimdKernels() ?? createPlainKernels();
}

/** Null when SIMD is not supported. */
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
    scoreRows: (count, size) => kernels.scoreRows(QUERY_AT, LIST_AT, SCORES_AT, count, size),
    sketchRow: (sketch, size) => kernels.sketchRow(ROW_AT, sketch, size),
    scanSketches: ({ sketches, owners, distances, count, size }, mask) =>
      kernels.scanSketches(
        SIGNS_AT,
        sketches,
        owners,
        mask?.at ?? 0,
        mask?.size ?? 0,
        distances,
        TALLY_AT,
        count,
        size,
      ),
    weighSketches: ({ sketches, distances, count, size }, last) =>
      kernels.weighSketches(PLANES_AT, sketches, distances, count, size, last, SKIP_AT, LIST_AT, SCORES_AT),
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
      const larger = new ArrayBuffer(Math.ceil(Math.max(bytes, buffer.byteLength * 1.25) / PAGE) * PAGE);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    },
    scoreRows(count, size) {
      const query = new Int16Array(buffer, QUERY_AT, size);
      const bytes = new Int8Array(buffer);
      const rows = new Uint32Array(buffer, LIST_AT, count);
      const scores = new Int32Array(buffer, SCORES_AT, count);
      for (let row = 0; row < count; row += 1) {
        const start = rows[row]!;
        let sum = 0;
        for (let index = 0; index < size; index += 1) sum += query[index]! * bytes[start + index]!;
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
    scanSketches({ sketches, owners: ownersAt, distances: distancesAt, count, size }, mask) {
      const words = size / 4;
      const query = new Uint32Array(buffer, SIGNS_AT, words);
      const values = new Uint32Array(buffer, sketches, count * words);
      const owners = new Uint32Array(buffer, ownersAt, count);
      const passing = mask && new Uint8Array(buffer, mask.at, mask.size);
      const distances = new Uint16Array(buffer, distancesAt, count);
      const tally = new Int32Array(buffer, TALLY_AT, size * 8 + 1);
      for (let sketch = 0; sketch < count; sketch += 1) {
        const owner = owners[sketch]!;
        if (owner === 0 || (passing && passing[owner] !== 1)) {
          distances[sketch] = FARTHEST;
          continue;
        }
        let sum = 0;
        for (let word = 0; word < words; word += 1)
          sum += bitsIn(query[word]! ^ values[sketch * words + word]!);
        distances[sketch] = sum;
        tally[sum]! += 1;
      }
    },
    weighSketches({ sketches, distances: distancesAt, count, size }, last) {
      const words = size / 4;
      const planes = new Uint32Array(buffer, PLANES_AT, words * 4);
      const values = new Uint32Array(buffer, sketches, count * words);
      const distances = new Uint16Array(buffer, distancesAt, count);
      const found = new Uint32Array(buffer, LIST_AT, count);
      const scores = new Int32Array(buffer, SCORES_AT, count);
      const skip = new Int32Array(buffer, SKIP_AT, 1);
      let number = 0;
      for (let sketch = 0; sketch < count; sketch += 1) {
        if (distances[sketch]! > last) continue;
        if (distances[sketch] === last && skip[0]! > 0) {
          skip[0]! -= 1;
          continue;
        }
        let sum = 0;
        for (let word = 0; word < words; word += 1) {
          const bits = values[sketch * words + word]!;
          const start = (word >> 1) * 8 + (word & 1);
          for (let plane = 0; plane < 3; plane += 1)
            sum += bitsIn(bits & planes[start + plane * 2]!) << plane;
          sum -= bitsIn(bits & planes[start + 6]!) << 3;
        }
        found[number] = sketch;
        scores[number] = -sum;
        number += 1;
      }
      return number;
    },
  };
}

/**
 * Rounds the numbers of a query to four bits and arranges them in bit planes, so that `weighSketches` adds many at
 * once. Outliers are cut, because in some models a few numbers are so large that the others would become 0.
 */
export function layPlanes(buffer: ArrayBuffer, query: Int16Array, size: number): void {
  const planes = new Uint8Array(buffer, PLANES_AT, size / 2).fill(0);
  const step = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0) / query.length) / 2;
  for (let index = 0; index < query.length; index += 1) {
    const value = Math.max(-LARGEST_SUMMAND, Math.min(LARGEST_SUMMAND - 1, Math.round(query[index]! / step)));
    const start = (index >> 6) * 32 + ((index & 63) >> 3);
    const bit = 1 << (index & 7);
    for (let plane = 0; plane < 4; plane += 1) if ((value >> plane) & 1) planes[start + plane * 8]! |= bit;
  }
}

const PAGE = 64 * 1024;

interface SimdExports {
  memory: WebAssemblyMemory;
  scoreRows(query: number, rows: number, scores: number, count: number, size: number): void;
  sketchRow(row: number, sketch: number, size: number): void;
  scanSketches(
    query: number,
    sketches: number,
    owners: number,
    mask: number,
    maskSize: number,
    distances: number,
    tally: number,
    count: number,
    size: number,
  ): void;
  weighSketches(
    planes: number,
    sketches: number,
    distances: number,
    count: number,
    size: number,
    last: number,
    skip: number,
    found: number,
    scores: number,
  ): number;
}
