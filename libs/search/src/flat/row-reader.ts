import type { Logger } from '@claude-mem/core';
import { inSlices } from '@claude-mem/lexical-index';
import type { SearchTables } from '@claude-mem/storage';
import { createLoadedRows, type LoadedRows } from './loaded-rows.js';
import type { VectorKernels } from './vector-kernels.js';

/** Keeps the vectors of one model in memory equal to the database. */
export interface RowReader {
  /** Reads new rows. Null when there are none. */
  fresh(): Promise<ReadRows | null>;
  /** Must be called after a write through the same connection, which does not change the data version. */
  expectChange(): void;
  close(): void;
}

interface ReadRows {
  loaded: LoadedRows;
  dimensions: number;
}

export function createRowReader(options: {
  tables: SearchTables;
  model: string;
  maxVectorsInMemory: number;
  createKernels: () => VectorKernels;
  logger: Logger;
}): RowReader {
  const { tables, model, logger } = options;
  let rows: ReadRows | null = null;
  let isInMemory = true;
  let epoch = -1;
  let lastRemovalId = 0;
  let lastVectorId = 0;
  let seenVersion = -1;
  let damaged = 0;
  let reported = 0;
  let isClosed = false;
  let running: Promise<void> | undefined;

  const resetRows = (state: { epoch: number; lastRemovalId: number }): void => {
    const group = largestGroup(tables, model);
    epoch = state.epoch;
    lastRemovalId = state.lastRemovalId;
    lastVectorId = 0;
    damaged = 0;
    rows = group === undefined ? null : createRows(group);
  };
  const createRows = ({ dimensions, count }: { dimensions: number; count: number }): ReadRows => {
    isInMemory = count <= options.maxVectorsInMemory;
    const loaded = createLoadedRows(options.createKernels(), {
      dimensions,
      tables: isInMemory ? null : tables,
    });
    return { dimensions, loaded };
  };

  const readSlice = (): boolean => {
    if (isClosed) return true;
    const version = tables.dataVersion();
    if (version === seenVersion) return true;
    const isDone = tables.snapshot(() => {
      const state = tables.state();
      if (state.epoch !== epoch || rows === null) resetRows(state);
      if (rows === null) return true;
      const { loaded, dimensions } = rows;
      for (const { id, vectorId } of tables.removalsAfter(lastRemovalId)) {
        lastRemovalId = id;
        if (vectorId !== null) loaded.remove(vectorId);
      }
      if (loaded.ids.removed > MOST_REMOVED_SHARE * loaded.ids.length) loaded.compact();
      const last = tables.lastVectorId();
      if (last <= lastVectorId) return true;
      let left = VECTORS_PER_SLICE;
      for (const [id, observationId, documentId, scale, values] of tables.vectorsAfter(lastVectorId, model)) {
        lastVectorId = id;
        if (isSound(values, scale) && values.length === dimensions)
          loaded.append({ id, observationId, documentId, scale, values });
        else if (
          loaded.ids.length === loaded.ids.removed &&
          largestGroup(tables, model)?.dimensions !== dimensions
        ) {
          rows = null;
          return false;
        } else damaged += 1;
        left -= 1;
        if (left === 0) return false;
      }
      lastVectorId = last;
      if (!isInMemory || loaded.ids.length - loaded.ids.removed <= options.maxVectorsInMemory) return true;
      rows = null;
      return false;
    });
    if (isDone) seenVersion = version;
    if (isDone && damaged > reported) {
      reported = damaged;
      logger.warn({ model, damaged }, 'Stored vectors that are damaged or of another size are passed over.');
    }
    return isDone;
  };

  return {
    async fresh() {
      running ??= inSlices(readSlice).finally(() => (running = undefined));
      await running;
      return rows;
    },
    expectChange() {
      seenVersion = -1;
    },
    close() {
      isClosed = true;
      rows = null;
    },
  };
}

/** Vectors of one model have the same size, except while they are being replaced. */
export function largestGroup(
  tables: SearchTables,
  model: string,
): { dimensions: number; count: number } | undefined {
  return tables
    .vectorModels()
    .filter((group) => group.model === model)
    .reduce<{ dimensions: number; count: number } | undefined>(
      (best, group) => (best === undefined || group.count > best.count ? group : best),
      undefined,
    );
}

function isSound(values: unknown, scale: number): boolean {
  return values instanceof Uint8Array && scale > 0 && scale < Infinity;
}

const VECTORS_PER_SLICE = 2048;
const MOST_REMOVED_SHARE = 0.25;
