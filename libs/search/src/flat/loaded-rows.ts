import type { SearchTables } from '@claude-mem/storage';
import { grownTo } from '@claude-mem/lexical-index';
import { createRowIds, type RowIds } from './row-ids.js';
import {
  LARGEST_SUMMAND,
  layPlanes,
  LIST_AT,
  QUERY_AT,
  ROW_AT,
  ROWS_AT,
  ROWS_PER_CALL,
  SCORES_AT,
  SIGNS_AT,
  SKIP_AT,
  SPARE_AT,
  SPARE_BYTES,
  TALLY_AT,
  type SketchBlock,
  type VectorKernels,
} from './vector-kernels.js';

/** The vectors of one model and size in memory. */
export interface LoadedRows {
  readonly ids: Pick<RowIds, 'length' | 'removed' | 'vectorIdAt' | 'observationIds' | 'nameAt'>;
  append(vector: {
    id: number;
    observationId: number;
    documentId: string;
    scale: number;
    values: Uint8Array;
  }): void;
  /** Unknown ids are ignored. */
  remove(vectorId: number): void;
  /** Releases the memory of removed rows. */
  compact(): void;
  /**
   * Returns the nearest rows, unordered; more than `limit` when the last ones are equal. A row matches when the mask
   * is 1 at its observation; null matches all rows.
   */
  nearest(request: {
    query: { values: Int16Array; scale: number };
    limit: number;
    mask: Uint8Array | null;
  }): readonly { row: number; score: number }[];
}

/**
 * The signs of each vector's numbers are in memory as a sketch, an eighth of its size. A query is compared with all
 * sketches bit by bit, with the best ones by number and sign, and with the best of those by complete vectors, which
 * are also in memory when `tables` is null. This finds nearly all nearest vectors, with exact scores.
 */
export function createLoadedRows(
  kernels: VectorKernels,
  { dimensions, tables }: { dimensions: number; tables: SearchTables | null },
): LoadedRows {
  const ids = createRowIds();
  const isInMemory = tables === null;
  const width = Math.ceil(dimensions / 128) * 128;
  const sketchSize = width / 8;
  const rowSize = Math.ceil(dimensions / 16) * 16;
  const blockSize = ROWS_PER_CALL * (sketchSize + 4 + 2 + (isInMemory ? rowSize : 0));
  const blocks: number[] = [];
  let scales = new Float32Array(0);
  let end = ROWS_AT;
  let bytes = new Uint8Array(kernels.buffer);
  let maskPlace = { at: 0, room: -1 };

  const allocate = (size: number): number => {
    const at = end;
    end += Math.ceil(size / 16) * 16;
    kernels.reserve(end);
    bytes = new Uint8Array(kernels.buffer);
    return at;
  };
  /** A block contains the sketches of many rows, then their owners, their distances for one query, and the rows. */
  const blockOf = (row: number) => blocks[Math.floor(row / ROWS_PER_CALL)]!;
  const sketchAt = (row: number) => blockOf(row) + (row % ROWS_PER_CALL) * sketchSize;
  const ownersAt = (block: number) => block + ROWS_PER_CALL * sketchSize;
  const distancesAt = (block: number) => ownersAt(block) + ROWS_PER_CALL * 4;
  const valuesAt = (row: number) =>
    distancesAt(blockOf(row)) + ROWS_PER_CALL * 2 + (row % ROWS_PER_CALL) * rowSize;
  const setOwner = (row: number, observationId: number) => {
    new Uint32Array(kernels.buffer, ownersAt(blockOf(row)), ROWS_PER_CALL)[row % ROWS_PER_CALL] =
      observationId;
  };
  const eachBlock = (work: (block: SketchBlock, start: number) => void) => {
    for (let start = 0; start < ids.length; start += ROWS_PER_CALL) {
      const sketches = blockOf(start);
      const [owners, distances] = [ownersAt(sketches), distancesAt(sketches)];
      const count = Math.min(ROWS_PER_CALL, ids.length - start);
      work({ sketches, owners, distances, count, size: sketchSize }, start);
    }
  };

  const layMask = (mask: Uint8Array): { at: number; size: number } => {
    if (mask.length > maskPlace.room) {
      const room = Math.ceil(mask.length * 1.25);
      maskPlace = { at: allocate(room), room };
    }
    bytes.set(mask, maskPlace.at);
    return { at: maskPlace.at, size: mask.length };
  };
  const layQuery = (query: Int16Array): void => {
    const numbers = new Int16Array(kernels.buffer, QUERY_AT, rowSize);
    numbers.set(query);
    numbers.fill(0, dimensions);
    const signs = new Int8Array(kernels.buffer, ROW_AT, width).fill(0);
    for (let index = 0; index < dimensions; index += 1) if (query[index]! < 0) signs[index] = -1;
    kernels.sketchRow(SIGNS_AT, width);
    layPlanes(kernels.buffer, query, width);
  };

  /** Writes all distances. Returns the number of rows at each distance. */
  const measure = (mask: Uint8Array | null): Int32Array => {
    const place = mask && layMask(mask);
    const tally = new Int32Array(kernels.buffer, TALLY_AT, width + 1).fill(0);
    eachBlock((block) => kernels.scanSketches(block, place));
    return tally;
  };

  /** The `limit` nearest rows by weighted bits. Of those at the last distance, the newest are taken. */
  const weighNearest = (tally: Int32Array, limit: number): { rows: Uint32Array; sums: Int32Array } => {
    let last = 0;
    let within = 0;
    while (last < tally.length - 1 && within + tally[last]! < limit) {
      within += tally[last]!;
      last += 1;
    }
    const atLast = Math.min(limit - within, tally[last]!);
    new Int32Array(kernels.buffer, SKIP_AT, 1)[0] = tally[last]! - atLast;
    const rows = new Uint32Array(within + atLast);
    const sums = new Int32Array(within + atLast);
    let found = 0;
    eachBlock((block, start) => {
      const count = kernels.weighSketches(block, last);
      const list = new Uint32Array(kernels.buffer, LIST_AT, count);
      for (let index = 0; index < count; index += 1) rows[found + index] = start + list[index]!;
      sums.set(new Int32Array(kernels.buffer, SCORES_AT, count), found);
      found += count;
    });
    return { rows, sums };
  };

  /** In ascending order. Of those with the last sum, the newest are taken. */
  const bestRows = ({ rows, sums }: { rows: Uint32Array; sums: Int32Array }, limit: number): Uint32Array => {
    if (rows.length <= limit) return rows;
    const most = width * LARGEST_SUMMAND;
    const tally = new Uint32Array(2 * most + 1);
    for (const sum of sums) tally[most + sum]! += 1;
    let last = 2 * most;
    let within = 0;
    while (within + tally[last]! < limit) {
      within += tally[last]!;
      last -= 1;
    }
    let skipped = within + tally[last]! - limit;
    const best = new Uint32Array(limit);
    let found = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const place = most + sums[index]!;
      if (place < last) continue;
      if (place === last && skipped > 0) skipped -= 1;
      else {
        best[found] = rows[index]!;
        found += 1;
      }
    }
    return best;
  };

  const rescore = (
    candidates: Uint32Array,
    query: { values: Int16Array; scale: number },
    limit: number,
  ): readonly { row: number; score: number }[] => {
    const { rows, lay } = tables === null ? inMemory(candidates) : inDatabase(tables, candidates);
    const scores = new Float64Array(rows.length);
    const perCall = isInMemory ? ROWS_PER_CALL : Math.min(ROWS_PER_CALL, Math.floor(SPARE_BYTES / rowSize));
    for (let start = 0; start < rows.length; start += perCall) {
      const count = Math.min(perCall, rows.length - start);
      lay(start, new Uint32Array(kernels.buffer, LIST_AT, count));
      kernels.scoreRows(count, rowSize);
      const products = new Int32Array(kernels.buffer, SCORES_AT, count);
      for (let index = 0; index < count; index += 1)
        scores[start + index] = products[index]! * scales[rows[start + index]!]! * query.scale;
    }
    const floor = rows.length > limit ? scores.toSorted()[rows.length - limit]! : -Infinity;
    const best: { row: number; score: number }[] = [];
    for (let index = 0; index < rows.length; index += 1)
      if (scores[index]! >= floor) best.push({ row: rows[index]!, score: scores[index]! });
    return best;
  };
  const inMemory = (rows: Uint32Array) => ({
    rows,
    lay(start: number, addresses: Uint32Array) {
      for (let index = 0; index < addresses.length; index += 1)
        addresses[index] = valuesAt(rows[start + index]!);
    },
  });
  const inDatabase = (from: SearchTables, candidates: Uint32Array) => {
    const { rows, values } = readValues(from, ids, candidates, dimensions);
    return {
      rows,
      lay(start: number, addresses: Uint32Array) {
        for (let index = 0; index < addresses.length; index += 1) {
          const at = SPARE_AT + index * rowSize;
          const read = (start + index) * dimensions;
          bytes.set(values.subarray(read, read + dimensions), at);
          bytes.fill(0, at + dimensions, at + rowSize);
          addresses[index] = at;
        }
      },
    };
  };

  return {
    ids,
    append({ id, observationId, documentId, scale, values }) {
      const row = ids.length;
      if (row === blocks.length * ROWS_PER_CALL) blocks.push(allocate(blockSize));
      bytes.set(values, ROW_AT);
      bytes.fill(0, ROW_AT + dimensions, ROW_AT + width);
      kernels.sketchRow(sketchAt(row), width);
      if (isInMemory) bytes.copyWithin(valuesAt(row), ROW_AT, ROW_AT + rowSize);
      setOwner(row, observationId);
      scales = grownTo(scales, row + 1);
      scales[row] = scale;
      ids.append(id, observationId, documentId);
    },
    remove(vectorId) {
      const row = ids.remove(vectorId);
      if (row !== null) setOwner(row, 0);
    },
    compact() {
      const observationIds = ids.observationIds();
      ids.compact((from, to) => {
        bytes.copyWithin(sketchAt(to), sketchAt(from), sketchAt(from) + sketchSize);
        if (isInMemory) bytes.copyWithin(valuesAt(to), valuesAt(from), valuesAt(from) + rowSize);
        setOwner(to, observationIds[to]!);
        scales[to] = scales[from]!;
      });
    },
    nearest({ query, limit, mask }) {
      if (ids.length === 0) return [];
      layQuery(query.values);
      const tally = measure(mask);
      const passing = tally.reduce((sum, count) => sum + count, 0);
      const usual = isInMemory ? IN_MEMORY_RESCORED : Math.ceil(RESCORED_SHARE * Math.sqrt(passing));
      const rescored = Math.max(limit, Math.min(MOST_RESCORED, Math.max(LEAST_RESCORED, usual)));
      return rescore(bestRows(weighNearest(tally, rescored * WEIGHED_SHARE), rescored), query, limit);
    },
  };
}

const WEIGHED_SHARE = 4;
const IN_MEMORY_RESCORED = 800;
const LEAST_RESCORED = 500;
const MOST_RESCORED = 4000;
/**
 * Number of rows to compare exactly, from the square root of the matching rows: 630 at 400,000, 2,000 at 4 million.
 * More costs time and finds little.
 */
const RESCORED_SHARE = 1;

/** Reads vectors of rows from the database. Skips removed and damaged rows. */
function readValues(
  tables: SearchTables,
  ids: LoadedRows['ids'],
  candidates: Uint32Array,
  dimensions: number,
): { rows: Uint32Array; values: Uint8Array } {
  const vectorIds: number[] = [];
  for (const row of candidates) vectorIds.push(ids.vectorIdAt(row));
  const found = tables.vectorValues(vectorIds);
  if (found.bytes.length === candidates.length * dimensions && found.ids.length === candidates.length)
    return { rows: candidates, values: found.bytes };
  const sound = new Map(
    tables
      .vectorsById(vectorIds)
      .filter(({ vector }) => vector.length === dimensions)
      .map(({ id, vector }) => [id, vector]),
  );
  const rows = candidates.filter((_, index) => sound.has(vectorIds[index]!));
  const values = new Uint8Array(rows.length * dimensions);
  rows.forEach((row, index) => values.set(sound.get(ids.vectorIdAt(row))!, index * dimensions));
  return { rows, values };
}
