import {
  messageOf,
  noopLogger,
  systemClock,
  type Clock,
  type Logger,
  type VectorOutbox,
} from '@claude-mem/core';
import type { SearchTables } from '@claude-mem/storage';
import { compareVectorHits } from '../compare-vector-hits.js';
import { orAbort } from '../or-abort.js';
import type { VectorDocument, VectorHit, VectorIndex } from '../ports/vector-index.js';
import { SearchError } from '../search-error.js';
import type { LoadedRows } from './loaded-rows.js';
import { createObservationMask } from './observation-mask.js';
import { MAX_DIMENSIONS, quantizeDocument, quantizeQuery } from './quantize.js';
import { createRowReader, largestGroup } from './row-reader.js';
import { createVectorKernels, type VectorKernels } from './vector-kernels.js';

export interface FlatIndexOptions {
  /** Tables to read vectors from. */
  tables: SearchTables;
  /** Tables to write vectors to. @default none: the index is read-only */
  writer?: Pick<VectorOutbox, 'putVectors' | 'vectorHashes' | 'removeVectors'>;
  /** The index contains only vectors of this model. */
  model: string;
  /** Above this number, complete vectors are not held in memory. @default 65536 */
  maxVectorsInMemory?: number;
  /** @default with SIMD when the machine supports it */
  createKernels?: () => VectorKernels;
  /** @default the machine's clock */
  clock?: Clock;
  /** @default noopLogger */
  logger?: Logger;
}

/**
 * Opens a vector index in the database, compared in memory, without an installation or a server. Vectors are loaded
 * with the first query and updated before each further one. Adding a vector of another size rebuilds the index.
 */
export function openFlatIndex(options: FlatIndexOptions): VectorIndex {
  const { tables, writer, model } = options;
  const clock = options.clock ?? systemClock;
  const mask = createObservationMask(tables);
  const reader = createRowReader({
    tables,
    model,
    maxVectorsInMemory: options.maxVectorsInMemory ?? 64 * 1024,
    createKernels: options.createKernels ?? createVectorKernels,
    logger: options.logger ?? noopLogger,
  });
  let isClosed = false;
  /** There is only one writer, so this is checked once, because it reads every row of the model. */
  let writtenSize: number | undefined;

  const open = async <Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> => {
    if (isClosed) throw new SearchError('search/closed', 'the vector index is closed');
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || SearchError.isInstance(error)) throw error;
      throw new SearchError(
        'search/vector-index-unavailable',
        `the vectors in the database cannot be used: ${messageOf(error)}`,
        { cause: error },
      );
    }
  };
  const requireWriter = (): NonNullable<FlatIndexOptions['writer']> => {
    if (writer === undefined)
      throw new SearchError(
        'search/read-only',
        'this memory is opened for reading; the worker writes vectors',
      );
    return writer;
  };
  const close = async () => {
    isClosed = true;
    reader.close();
  };

  return {
    name: 'flat',
    upsert: (documents) =>
      open(async () => {
        const target = requireWriter();
        const last = documents.at(-1);
        if (last === undefined) return;
        const size = last.vector.length;
        if (size > MAX_DIMENSIONS || documents.some(({ vector }) => vector.length !== size))
          throw new SearchError(
            'search/bad-request',
            `vectors of one call must have one size of at most ${MAX_DIMENSIONS}`,
          );
        const { rows, pointless } = rowsOf(documents);
        writtenSize ??= largestGroup(tables, model)?.dimensions ?? size;
        if (writtenSize !== size) await target.removeVectors({ all: true });
        writtenSize = size;
        if (pointless.length > 0) await target.removeVectors({ documentIds: pointless });
        for (let start = 0; start < rows.length; start += ROWS_PER_WRITE)
          await target.putVectors({
            model,
            now: clock.now(),
            rows: rows.slice(start, start + ROWS_PER_WRITE),
          });
        reader.expectChange();
      }),
    remove: (observationIds) =>
      open(async () => {
        await requireWriter().removeVectors({ observationIds });
        reader.expectChange();
      }),
    removeDocuments: (documentIds) =>
      open(async () => {
        await requireWriter().removeVectors({ documentIds });
        reader.expectChange();
      }),
    hashes: (observationIds) =>
      open(async () => {
        const rows = await requireWriter().vectorHashes({ model, observationIds });
        return rows.map(({ documentId, observationId, contentHash }) => ({
          id: documentId,
          observationId,
          contentHash,
        }));
      }),
    nearest: ({ vector, limit, filter, signal }) =>
      open(async () => {
        const query = quantizeQuery(vector);
        if (query === null || !(limit >= 1)) return [];
        // A load continues after an abort, because the next query needs it.
        const wanted = filter === undefined ? null : await orAbort(mask(filter), signal);
        const rows = await orAbort(reader.fresh(), signal);
        if (rows === null || rows.dimensions !== vector.length) return [];
        const most = Math.min(Math.floor(limit), MOST_HITS);
        const found = rows.loaded.nearest({ query, limit: most, mask: wanted });
        return hitsOf(tables, rows.loaded, found).slice(0, most);
      }, signal),
    count: () => open(async () => largestGroup(tables, model)?.count ?? 0),
    clear: () =>
      open(async () => {
        await requireWriter().removeVectors({ all: true });
        reader.expectChange();
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const MOST_HITS = 10_000;
const ROWS_PER_WRITE = 500;

/** Keeps the last of several documents with the same id. `pointless` are zero vectors, which no query can find. */
function rowsOf(documents: readonly VectorDocument[]): {
  rows: Parameters<VectorOutbox['putVectors']>[0]['rows'];
  pointless: string[];
} {
  const pointless: string[] = [];
  const byId = new Map(documents.map((document) => [document.id, document]));
  const rows = [...byId.values()].flatMap(({ id, vector, contentHash, metadata: { observationId } }) => {
    const quantized = quantizeDocument(vector);
    if (quantized === null) {
      pointless.push(id);
      return [];
    }
    const { values, scale } = quantized;
    const bytes = new Uint8Array(values.buffer);
    return [{ documentId: id, observationId, dimensions: vector.length, scale, contentHash, vector: bytes }];
  });
  return { rows, pointless };
}

function hitsOf(
  tables: SearchTables,
  { ids }: LoadedRows,
  found: readonly { row: number; score: number }[],
): readonly VectorHit[] {
  const observationIds = ids.observationIds();
  const names = found.map(({ row }) => ids.nameAt(row));
  const unusual = found.flatMap(({ row }, at) => (names[at] === null ? [ids.vectorIdAt(row)] : []));
  const stored = new Map(
    unusual.length === 0 ? [] : tables.vectorsById(unusual).map((one) => [one.id, one.documentId]),
  );
  const hits: VectorHit[] = [];
  for (const [at, { row, score }] of found.entries()) {
    const id = names[at] ?? stored.get(ids.vectorIdAt(row));
    if (id === undefined) continue;
    hits.push({ id, observationId: observationIds[row]!, score: Math.max(-1, Math.min(1, score)) });
  }
  return hits.sort(compareVectorHits);
}
