import type { SearchTables } from '@claude-mem/storage';
import { grownTo } from '@claude-mem/lexical-index';
import { bestRows } from './best-rows.js';
import { createRowIds, type RowIds } from './row-ids.js';
import { createRowMemory } from './row-memory.js';
import {
  LARGEST_SUMMAND,
  layPlanes,
  LIST_AT,
  QUERY_AT,
  ROW_AT,
  ROWS_PER_CALL,
  SCORES_AT,
  SIGNS_AT,
  SKIP_AT,
  SPARE_AT,
  SPARE_BYTES,
  TALLY_AT,
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
  const memory = createRowMemory(kernels, { sketchSize, valuesSize: isInMemory ? rowSize : 0 });
  let scales = new Float32Array(0);
  let maskPlace = { at: 0, room: -1 };

  const layMask = (mask: Uint8Array): { at: number; size: number } => {
    if (mask.length > maskPlace.room) {
      const room = Math.ceil(mask.length * 1.25);
      maskPlace = { at: memory.allocate(room), room };
    }
    memory.bytes.set(mask, maskPlace.at);
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
    memory.eachBlock(ids.length, (block) => kernels.scanSketches(block, place));
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
    memory.eachBlock(ids.length, (block, start) => {
      const count = kernels.weighSketches(block, last);
      const list = new Uint32Array(kernels.buffer, LIST_AT, count);
      for (let index = 0; index < count; index += 1) rows[found + index] = start + list[index]!;
      sums.set(new Int32Array(kernels.buffer, SCORES_AT, count), found);
      found += count;
    });
    return { rows, sums };
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
    return largestScores(rows, scores, limit);
  };
  const inMemory = (rows: Uint32Array) => ({
    rows,
    lay(start: number, addresses: Uint32Array) {
      for (let index = 0; index < addresses.length; index += 1)
        addresses[index] = memory.valuesAt(rows[start + index]!);
    },
  });
  const inDatabase = (from: SearchTables, candidates: Uint32Array) => {
    const { rows, values } = readValues(from, ids, candidates, dimensions);
    return {
      rows,
      lay(start: number, addresses: Uint32Array) {
        const { bytes } = memory;
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
      memory.addRow(row);
      const { bytes } = memory;
      bytes.set(values, ROW_AT);
      bytes.fill(0, ROW_AT + dimensions, ROW_AT + width);
      kernels.sketchRow(memory.sketchAt(row), width);
      if (isInMemory) bytes.copyWithin(memory.valuesAt(row), ROW_AT, ROW_AT + rowSize);
      memory.setOwner(row, observationId);
      scales = grownTo(scales, row + 1);
      scales[row] = scale;
      ids.append(id, observationId, documentId);
    },
    remove(vectorId) {
      const row = ids.remove(vectorId);
      if (row !== null) memory.setOwner(row, 0);
    },
    compact() {
      const observationIds = ids.observationIds();
      const { bytes, sketchAt, valuesAt, setOwner } = memory;
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
      // 630 of 400,000 matching rows and 2,000 of 4 million. More cost time and find little.
      const usual = isInMemory ? IN_MEMORY_RESCORED : Math.ceil(Math.sqrt(passing));
      const rescored = Math.max(limit, Math.min(MOST_RESCORED, Math.max(LEAST_RESCORED, usual)));
      const weighed = weighNearest(tally, rescored * WEIGHED_SHARE);
      return rescore(bestRows(weighed, rescored, width * LARGEST_SUMMAND), query, limit);
    },
  };
}

const WEIGHED_SHARE = 4;
const IN_MEMORY_RESCORED = 800;
const LEAST_RESCORED = 500;
const MOST_RESCORED = 4000;

/** More than `limit` when the last ones are equal. */
function largestScores(
  rows: Uint32Array,
  scores: Float64Array,
  limit: number,
): readonly { row: number; score: number }[] {
  const floor = rows.length > limit ? scores.toSorted()[rows.length - limit]! : -Infinity;
  const best: { row: number; score: number }[] = [];
  for (let index = 0; index < rows.length; index += 1)
    if (scores[index]! >= floor) best.push({ row: rows[index]!, score: scores[index]! });
  return best;
}

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
