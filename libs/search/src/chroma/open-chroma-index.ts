import { isWebAddress, noopLogger, systemClock, type Clock, type Logger } from '@claude-mem/core';
import type { Where } from 'chromadb';
import { compareVectorHits } from '../compare-vector-hits.js';
import type { VectorDocument, VectorIndex } from '../ports/vector-index.js';
import { SearchError } from '../search-error.js';
import { classifyChromaError } from './classify-error.js';
import { hitOf, metadataOf, whereOf } from './chroma-metadata.js';
import { createCollections } from './collections.js';
import { createConnection, type LoadChromaClient } from './connection.js';
import { startManagedServer, type ManagedChromaOptions } from './managed/start-managed-server.js';
import { createOutageGuard } from './outage-guard.js';
import { createRequests, WRITE_LIMIT_MS } from './requests.js';

export interface ChromaIndexOptions {
  /**
   * Address of a running server, without a path. Two memories on one server need different databases. Either this or
   * `managed`.
   */
  url?: string;
  /** Starts a server on this machine and keeps it running while the index is open. */
  managed?: ManagedChromaOptions;
  /** @default the default of the server */
  tenant?: string;
  /** @default the default of the server */
  database?: string;
  /** Sent with every request. @default none */
  token?: string;
  /** Each model has its own collection. */
  model: string;
  /**
   * Time limit of a query in milliseconds. After a timeout, the server is not used until it answers again. @default
   * 300
   */
  queryLimitMs?: number;
  /** @default loads the package `chromadb` */
  loadClient?: LoadChromaClient;
  /** @default noopLogger */
  logger?: Logger;
  /** @default the machine's clock */
  clock?: Clock;
}

/**
 * Opens a vector index in a Chroma server. Its results are approximate. A server that is unavailable or slow delays
 * one query by the time limit, and no further query until it works again.
 * @throws SearchError `search/bad-request` for an invalid address
 */
export function openChromaIndex(options: ChromaIndexOptions): VectorIndex {
  requireAddress(options);
  const { logger = noopLogger, clock = systemClock, queryLimitMs = 300 } = options;
  const server =
    options.managed === undefined ? null : startManagedServer(options.managed, { logger, clock });
  const loadClient = options.loadClient ?? (() => import('chromadb'));
  const { tenant = 'default_tenant', database = 'default_database', token } = options;
  const connection = createConnection({
    credentials: { tenant, database, token },
    url: () => options.url ?? server!.address(),
    loadClient,
    onDrop: () => collections.forget(),
  });
  const collections = createCollections(connection.client, options.model);
  const guard = createOutageGuard({
    place: options.url ?? 'this machine',
    probe: async () => (await connection.client()).heartbeat(),
    dropConnection: connection.drop,
    clock,
    logger,
  });
  const requests = createRequests({ guard, collections, loadClient });

  const put = async (documents: readonly VectorDocument[], dimensions: number): Promise<void> => {
    const records = {
      ids: documents.map(({ id }) => id),
      embeddings: documents.map(({ vector }) => [...vector]),
      metadatas: documents.map(metadataOf),
    };
    const current = await collections.current();
    const { collection } = current?.dimensions === dimensions ? current : await collections.begin(dimensions);
    try {
      await collection.upsert(records);
    } catch (error) {
      if (classifyChromaError(error) !== 'mismatch') throw error;
      await (await collections.begin(dimensions)).collection.upsert(records);
    }
  };
  const removeDocuments = async (ids: readonly string[]): Promise<void> => {
    for (const some of chunksOf(ids, DOCUMENTS_PER_CALL))
      await requests.write(async () => {
        const current = await collections.current();
        await current?.collection.delete({ ids: some });
      });
  };
  /** Deletes by ids in batches, because the server fails for a condition that matches thousands. */
  const removeMatching = async (where: Where): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const removed = await requests.write(async () => {
        const current = await collections.current();
        const found = await current?.collection.get({ where, include: [], limit: DOCUMENTS_PER_CALL });
        if (found === undefined || found.ids.length === 0) return 0;
        await current?.collection.delete({ ids: found.ids });
        return found.ids.length;
      });
      if (removed < DOCUMENTS_PER_CALL) return;
    }
    throw new SearchError('search/vector-index-unavailable', 'Chroma did not delete the requested vectors');
  };
  const close = async () => {
    requests.close();
    connection.close();
    await server?.close();
  };

  return {
    name: 'chroma',
    async upsert(documents) {
      const byId = new Map(documents.map((document) => [document.id, document]));
      const dimensions = documents[0]?.vector.length;
      if (dimensions === undefined) return;
      if (documents.some(({ vector }) => vector.length !== dimensions))
        throw new SearchError('search/bad-request', 'vectors of one call must have one size');
      const all = [...byId.values()];
      const useful = all.filter(({ vector }) => hasDirection(vector));
      for (const some of chunksOf(useful, DOCUMENTS_PER_CALL))
        await requests.write(() => put(some, dimensions));
      await removeDocuments(all.filter(({ vector }) => !hasDirection(vector)).map(({ id }) => id));
    },
    removeDocuments,
    async remove(observationIds) {
      for (const ids of chunksOf([...new Set(observationIds)], IDS_PER_CALL))
        await removeMatching({ observation_id: { $in: ids } });
    },
    hashes: (observationIds) =>
      requests.run(
        async () => {
          const current = await collections.current();
          if (current === null) return [];
          const hashes: { id: string; observationId: number; contentHash: string }[] = [];
          for (const ids of chunksOf(observationIds, IDS_PER_CALL)) {
            const found = await current.collection.get({
              where: { observation_id: { $in: ids } },
              include: ['metadatas'],
            });
            for (const row of found.rows()) {
              const { observation_id: observationId, content_hash: contentHash } = row.metadata ?? {};
              if (typeof observationId === 'number' && typeof contentHash === 'string')
                hashes.push({ id: row.id, observationId, contentHash });
            }
          }
          return hashes;
        },
        { limitMs: WRITE_LIMIT_MS, asks: true },
      ),
    async nearest({ vector, limit, filter, signal }) {
      const where = whereOf(filter);
      const nResults = hasDirection(vector) && limit >= 1 ? Math.min(Math.floor(limit), MOST_HITS) : 0;
      return requests.run(
        async () => {
          if (nResults === 0 || where === 'nothing') return [];
          const current = await collections.current();
          if (current?.dimensions !== vector.length) return [];
          const answer = await current.collection.query({
            queryEmbeddings: [[...vector]],
            nResults,
            include: ['distances', 'metadatas'],
            ...(where === 'everything' ? {} : { where }),
          });
          return answer.rows()[0]?.flatMap(hitOf).sort(compareVectorHits) ?? [];
        },
        { limitMs: queryLimitMs, asks: false, signal },
      );
    },
    count: () =>
      requests.run(
        async () => {
          const count: unknown = (await (await collections.current())?.collection.count()) ?? 0;
          if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
          throw new SearchError('search/vector-index-unavailable', 'Chroma says no number of documents');
        },
        { limitMs: queryLimitMs, asks: false },
      ),
    clear: () => requests.write(() => collections.clear()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const MOST_HITS = 10_000;
const DOCUMENTS_PER_CALL = 500;
const IDS_PER_CALL = 200;
/** No more documents than this exist for so many observations. */
const MOST_ROUNDS = 50;

function requireAddress({ url, managed }: ChromaIndexOptions): void {
  const fail = (message: string) => {
    throw new SearchError('search/bad-request', message);
  };
  if ((url === undefined) === (managed === undefined))
    fail('Chroma needs either an address or a managed server');
  if (url === undefined) return;
  if (!isWebAddress(url))
    fail('the address of Chroma must begin with http:// or https:// and hold no name, password or query');
  if (new URL(url).pathname !== '/') fail('the address of Chroma must have no path');
}

function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function hasDirection(vector: Float32Array): boolean {
  return vector.every((value) => Number.isFinite(value)) && vector.some((value) => value !== 0);
}
