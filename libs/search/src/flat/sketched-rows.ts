import type { SearchTables } from '@claude-mem/storage/search-tables';
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
 * are found (about 99 of 100), with their exact scores.
 */
export function createSketchedRows(
  kernels: VectorKernels,
  dimensions: number,
  tables: SearchTables,
): LoadedRows {
  const ids = createRowIds();
  const width = Math.ceil(dimensions / 128) * 128;
  const size = width / 8;
  let reserved = 0;
  let distances = new Uint16Array(0);

  /** Also into `distances`: how far each row is; those that do not pass are farthest. Returns how many rows are at each distance. */
  const measure = (mask: Uint8Array | null): Uint32Array => {
    if (distances.length < ids.length) distances = new Uint16Array(reserved);
    const atDistance = new Uint32Array(width + 1);
    const scores = new Int32Array(kernels.buffer, SCORES_AT, ROWS_PER_SCAN);
    for (let start = 0; start < ids.length; start += ROWS_PER_SCAN) {
      const count = Math.min(ROWS_PER_SCAN, ids.length - start);
      kernels.scanSketches(ROWS_AT + start * size, count, size);
      for (let index = 0; index < count; index += 1) {
        const distance = scores[index]!;
        distances[start + index] = distance;
        atDistance[distance]! += 1;
      }
    }
    if (mask === null && ids.removed === 0) return atDistance;
    const observationIds = ids.observationIds();
    for (let row = 0; row < ids.length; row += 1) {
      const observationId = observationIds[row]!;
      if (observationId !== 0 && (mask === null || mask[observationId] === 1)) continue;
      atDistance[distances[row]!]! -= 1;
      distances[row] = FARTHEST;
    }
    return atDistance;
  };

  return {
    ids,
    append(vectorId, observationId, _scale, vector) {
      const row = ids.length;
      if (row >= reserved) {
        reserved = Math.max(row + 1, Math.ceil(reserved * 1.25), 256);
        kernels.reserve(ROWS_AT + reserved * size);
      }
      const place = new Uint8Array(kernels.buffer, ROW_AT, width);
      place.set(vector);
      place.fill(0, dimensions);
      kernels.sketchRow(ROWS_AT + row * size, width);
      ids.append(vectorId, observationId);
    },
    compact() {
      const sketches = new Uint8Array(kernels.buffer, ROWS_AT, ids.length * size);
      ids.compact((from, to) => sketches.copyWithin(to * size, from * size, (from + 1) * size));
    },
    nearest({ query, limit, mask }) {
      const place = new Uint8Array(kernels.buffer, ROW_AT, width);
      place.fill(0);
      for (let index = 0; index < dimensions; index += 1) if (query.values[index]! < 0) place[index] = 0x80;
      kernels.sketchRow(QUERY_AT, width);
      const atDistance = measure(mask);
      const passing = atDistance.reduce((sum, count) => sum + count, 0);
      const rescored = Math.max(
        limit,
        Math.min(MOST_RESCORED, Math.ceil(RESCORED_SHARE * Math.sqrt(passing))),
        LEAST_RESCORED,
      );
      const nearest = nearestRows(distances, ids.length, atDistance, rescored * 4);
      const sketches = new Uint8Array(kernels.buffer, ROWS_AT, ids.length * size);
      const candidates = bestBySigns(nearest, { query: query.values, sketches, size, ids, limit: rescored });
      return rescore(tables.vectorsById(candidates), { kernels, query, dimensions, limit });
    },
  };
}

const FARTHEST = 0xffff;
const LEAST_RESCORED = 500;
const MOST_RESCORED = 4000;
/** Of the root of how many pass: 500 at 100,000, 1000 at 400,000, 3200 at 4 million. */
const RESCORED_SHARE = 1.6;

/** At most `limit`; of those at the last distance the newest. */
function nearestRows(
  distances: Uint16Array,
  length: number,
  atDistance: Uint32Array,
  limit: number,
): Uint32Array {
  let last = 0;
  let within = 0;
  while (last < atDistance.length - 1 && within + atDistance[last]! < limit) {
    within += atDistance[last]!;
    last += 1;
  }
  let atLast = Math.min(limit - within, atDistance[last]!);
  const rows = new Uint32Array(within + atLast);
  let found = 0;
  for (let row = length - 1; row >= 0 && found < rows.length; row -= 1) {
    const distance = distances[row]!;
    if (distance > last) continue;
    if (distance === last) {
      if (atLast === 0) continue;
      atLast -= 1;
    }
    rows[found] = row;
    found += 1;
  }
  return rows;
}

/** The query's own numbers, each added or taken away as the sign in the sketch says: finer than to count equal signs. */
function bestBySigns(
  rows: Uint32Array,
  request: {
    query: Int16Array;
    sketches: Uint8Array;
    size: number;
    ids: LoadedRows['ids'];
    limit: number;
  },
): readonly number[] {
  const { query, sketches, size, ids, limit } = request;
  const observationIds = ids.observationIds();
  const sums = sumsByByte(query, size);
  const top = createTopRows(limit, (row) => observationIds[row]!);
  for (const row of rows) {
    let sum = 0;
    const start = row * size;
    for (let byte = 0; byte < size; byte += 1) sum += sums[byte * 256 + sketches[start + byte]!]!;
    top.offer(sum, row);
  }
  return top.take().map(({ row }) => ids.vectorIdAt(row));
}

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

function rescore(
  rows: ReturnType<SearchTables['vectorsById']>,
  request: {
    kernels: VectorKernels;
    query: { values: Int16Array; scale: number };
    dimensions: number;
    limit: number;
  },
): readonly { vectorId: number; score: number }[] {
  const { kernels, query, dimensions, limit } = request;
  const size = Math.ceil(dimensions / 16) * 16;
  const place = new Int16Array(kernels.buffer, QUERY_AT, size);
  place.set(query.values);
  place.fill(0, dimensions);
  const spare = new Uint8Array(kernels.buffer, SPARE_AT, SPARE_BYTES).fill(0);
  const products = new Int32Array(kernels.buffer, SCORES_AT, SPARE_BYTES / size);
  const top = createTopRows(limit, (row) => rows[row]!.observationId);
  for (let start = 0; start < rows.length; start += products.length) {
    const some = rows.slice(start, start + products.length);
    some.forEach(({ vector }, at) => spare.set(vector, at * size));
    kernels.scanRows(SPARE_AT, some.length, size);
    some.forEach(({ scale }, at) => top.offer(products[at]! * scale * query.scale, start + at));
  }
  return top.take().map(({ row, score }) => ({ vectorId: rows[row]!.id, score }));
}
