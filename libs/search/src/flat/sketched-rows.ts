import type { SearchTables } from '@claude-mem/storage/search-tables';
import { grownTo } from '../growing-array.js';
import type { LoadedRows } from './loaded-rows.js';
import { createRowIds } from './row-ids.js';
import { createTopRows } from './top-rows.js';
import {
  QUERY_AT,
  ROW_AT,
  ROWS_AT,
  ROWS_PER_SCAN,
  SCORES_AT,
  SPARE_AT,
  SPARE_BYTES,
  type VectorKernels,
} from './vector-kernels.js';

/**
 * Of each vector only the signs of its numbers are in memory, an eighth of its size. A query is compared with all of them bit
 * by bit, with the best by number and sign, and with the best of those by what is in the database. Nearly all of the nearest
 * are found (98 of 100 among 400,000), with their exact scores.
 */
export function createSketchedRows(
  kernels: VectorKernels,
  dimensions: number,
  tables: SearchTables,
): LoadedRows {
  const ids = createRowIds();
  const width = Math.ceil(dimensions / 128) * 128;
  const size = width / 8;
  /** A block holds the sketches of many rows, and behind them their distances of one query. */
  const blockSize = ROWS_PER_SCAN * (size + 2);
  let scales = new Float32Array(0);

  const blockAt = (row: number) => ROWS_AT + Math.floor(row / ROWS_PER_SCAN) * blockSize;
  const sketchAt = (row: number) => blockAt(row) + (row % ROWS_PER_SCAN) * size;
  const distancesOf = (start: number, count: number) =>
    new Uint16Array(kernels.buffer, blockAt(start) + ROWS_PER_SCAN * size, count);
  const eachBlock = (work: (start: number, count: number) => void) => {
    const { length } = ids;
    for (let start = 0; start < length; start += ROWS_PER_SCAN)
      work(start, Math.min(ROWS_PER_SCAN, length - start));
  };

  /** Writes all distances; those that do not pass are farthest. Returns how many rows are at each. */
  const measure = (mask: Uint8Array | null): Int32Array => {
    const tally = new Int32Array(kernels.buffer, SCORES_AT, width + 1).fill(0);
    const observationIds = ids.observationIds();
    const isOneRemoved = ids.removed > 0;
    eachBlock((start, count) => {
      kernels.scanSketches(blockAt(start), blockAt(start) + ROWS_PER_SCAN * size, count, size);
      if (mask === null && !isOneRemoved) return;
      const distances = distancesOf(start, count);
      for (let index = 0; index < count; index += 1) {
        const observationId = observationIds[start + index]!;
        if (observationId !== 0 && (mask === null || mask[observationId] === 1)) continue;
        tally[distances[index]!]! -= 1;
        distances[index] = FARTHEST;
      }
    });
    return tally;
  };

  /** At most `limit`; of those at the last distance the newest. */
  const nearestRows = (tally: Int32Array, limit: number): Uint32Array => {
    let last = 0;
    let within = 0;
    while (last < tally.length - 1 && within + tally[last]! < limit) {
      within += tally[last]!;
      last += 1;
    }
    const atLast = Math.min(limit - within, tally[last]!);
    let leftOut = tally[last]! - atLast;
    const rows = new Uint32Array(within + atLast);
    let found = 0;
    eachBlock((start, count) => {
      const distances = distancesOf(start, count);
      for (let index = 0; index < count; index += 1) {
        const distance = distances[index]!;
        if (distance > last) continue;
        if (distance === last && leftOut > 0) leftOut -= 1;
        else {
          rows[found] = start + index;
          found += 1;
        }
      }
    });
    return rows;
  };

  /** The query's own numbers, each added or taken away as the sign in the sketch says: finer than to count equal signs. */
  const bestBySigns = (rows: Uint32Array, query: Int16Array, limit: number): number[] => {
    const observationIds = ids.observationIds();
    const sketches = new Uint8Array(kernels.buffer);
    const sums = sumsByByte(query, size);
    const top = createTopRows(limit, (row) => observationIds[row]!);
    for (const row of rows) {
      let sum = 0;
      const start = sketchAt(row);
      for (let byte = 0; byte < size; byte += 1) sum += sums[byte * 256 + sketches[start + byte]!]!;
      top.offer(sum, row);
    }
    return top
      .take()
      .map(({ row }) => row)
      .sort((left, right) => left - right);
  };

  /** A row whose vector was removed since is left out. */
  const rescore = (
    rows: readonly number[],
    query: { values: Int16Array; scale: number },
    limit: number,
  ): readonly { row: number; score: number }[] => {
    const found = tables.vectorValues(rows.map((row) => ids.vectorIdAt(row)));
    if (found.bytes.length !== found.ids.length * dimensions)
      throw new Error('vectors of one model differ in size');
    const padded = Math.ceil(dimensions / 16) * 16;
    const place = new Int16Array(kernels.buffer, QUERY_AT, padded);
    place.set(query.values);
    place.fill(0, dimensions);
    const spare = new Uint8Array(kernels.buffer, SPARE_AT, SPARE_BYTES).fill(0);
    const products = new Int32Array(kernels.buffer, SCORES_AT, Math.floor(SPARE_BYTES / padded));
    const observationIds = ids.observationIds();
    const top = createTopRows(limit, (row) => observationIds[row]!);
    const there = rows.length === found.ids.length ? rows : rowsThere(rows, found.ids);
    for (let start = 0; start < there.length; start += products.length) {
      const count = Math.min(products.length, there.length - start);
      for (let index = 0; index < count; index += 1) {
        const from = (start + index) * dimensions;
        spare.set(found.bytes.subarray(from, from + dimensions), index * padded);
      }
      kernels.scanRows(SPARE_AT, count, padded);
      for (let index = 0; index < count; index += 1) {
        const row = there[start + index]!;
        top.offer(products[index]! * scales[row]! * query.scale, row);
      }
    }
    return top.take();
  };
  const rowsThere = (rows: readonly number[], vectorIds: readonly number[]): readonly number[] => {
    const isThere = new Set(vectorIds);
    return rows.filter((row) => isThere.has(ids.vectorIdAt(row)));
  };

  return {
    ids,
    append({ id, observationId, documentId, scale, values }) {
      const row = ids.length;
      kernels.reserve(blockAt(row) + blockSize);
      const place = new Uint8Array(kernels.buffer, ROW_AT, width);
      place.set(values);
      place.fill(0, dimensions);
      kernels.sketchRow(sketchAt(row), width);
      scales = grownTo(scales, row + 1);
      scales[row] = scale;
      ids.append(id, observationId, documentId);
    },
    compact() {
      const bytes = new Uint8Array(kernels.buffer);
      ids.compact((from, to) => {
        bytes.copyWithin(sketchAt(to), sketchAt(from), sketchAt(from) + size);
        scales[to] = scales[from]!;
      });
    },
    nearest({ query, limit, mask }) {
      const place = new Int8Array(kernels.buffer, ROW_AT, width);
      place.fill(0);
      for (let index = 0; index < dimensions; index += 1) if (query.values[index]! < 0) place[index] = -1;
      kernels.sketchRow(QUERY_AT, width);
      const tally = measure(mask);
      const passing = tally.reduce((sum, count) => sum + count, 0);
      const usual = Math.ceil(RESCORED_SHARE * Math.sqrt(passing));
      const rescored = Math.max(limit, Math.min(MOST_RESCORED, Math.max(LEAST_RESCORED, usual)));
      return rescore(bestBySigns(nearestRows(tally, rescored * 4), query.values, rescored), query, limit);
    },
  };
}

const FARTHEST = 0xffff;
const LEAST_RESCORED = 500;
const MOST_RESCORED = 4000;
/** Of the root of how many pass: 630 at 400,000, 2000 at 4 million. More costs time and finds little. */
const RESCORED_SHARE = 1;

/** For each byte of a sketch and each of its 256 values, what its eight numbers add. */
function sumsByByte(query: Int16Array, size: number): Int16Array {
  const sums = new Int16Array(size * 256);
  for (let byte = 0; byte < size; byte += 1)
    for (let value = 0; value < 256; value += 1) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit += 1) {
        const number = query[byte * 8 + bit] ?? 0;
        sum += (value >> bit) & 1 ? -number : number;
      }
      sums[byte * 256 + value] = sum;
    }
  return sums;
}
