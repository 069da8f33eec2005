import { isWebAddress, noopLogger, systemClock, truncate, type Clock, type Logger } from '@claude-mem/core';
import type { ChromaClient, Where } from 'chromadb';
import { compareVectorHits } from '../compare-vector-hits.js';
import type { VectorDocument, VectorFilter, VectorHit, VectorIndex } from '../ports/vector-index.js';
import { SearchError } from '../search-error.js';
import { classifyChromaError } from './classify-error.js';
import { createCollections, type CurrentCollection } from './collections.js';
import { connectToChroma, type LoadChromaClient } from './connect.js';
import { startManagedServer, type ManagedChromaOptions } from './managed/start-managed-server.js';
import { createOutageGuard } from './outage-guard.js';

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
  let isClosed = false;
  let connection: { url: string; client: Promise<ChromaClient>; ending: AbortController } | null = null;

  const dropConnection = () => {
    connection?.ending.abort();
    connection = null;
    collections.forget();
  };
  const connect = async (): Promise<ChromaClient> => {
    const url = server === null ? options.url! : await server.address();
    if (connection?.url !== url) {
      dropConnection();
      const ending = new AbortController();
      const { tenant = 'default_tenant', database = 'default_database', token } = options;
      connection = {
        url,
        ending,
        client: connectToChroma({ url, tenant, database, token }, loadClient, ending.signal),
      };
    }
    return connection.client;
  };
  const collections = createCollections(connect, options.model);
  const guard = createOutageGuard({
    place: options.url ?? 'this machine',
    probe: async () => (await connect()).heartbeat(),
    dropConnection,
    clock,
    logger,
  });

  /**
   * The cached state of collections may be outdated: another process may have rebuilt the index, or the user may have
   * deleted the data.
   */
  const withCollections = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      const failure = classifyChromaError(error);
      if (failure === 'away') collections.forget();
      if (failure !== 'missing') throw error;
      collections.forget();
      return work();
    }
  };
  let isClientLoaded = false;
  const guarded = async <Value>(
    work: () => Promise<Value>,
    limits: { limitMs: number; asks: boolean; signal?: AbortSignal | undefined },
  ): Promise<Value> => {
    // Imports before the time limit starts, because on a slow machine the first import takes longer. `connect` reports
    // a failed import.
    if (!isClientLoaded && !isClosed)
      isClientLoaded = await loadClient().then(
        () => true,
        () => false,
      );
    if (isClosed) throw new SearchError('search/closed', 'the vector index is closed');
    return guard.run(() => withCollections(work), limits);
  };
  let writes: Promise<unknown> = Promise.resolve();
  const write = (work: () => Promise<void>): Promise<void> => {
    const written = writes.then(() => guarded(work, { limitMs: WRITE_LIMIT_MS, asks: true }));
    writes = written.catch(() => {});
    return written;
  };
  const collectionFor = async (dimensions: number): Promise<CurrentCollection> => {
    const current = await collections.current();
    return current?.dimensions === dimensions ? current : collections.begin(dimensions);
  };
  const put = async (documents: readonly VectorDocument[], dimensions: number): Promise<void> => {
    const records = {
      ids: documents.map(({ id }) => id),
      embeddings: documents.map(({ vector }) => [...vector]),
      metadatas: documents.map(metadataOf),
    };
    const { collection } = await collectionFor(dimensions);
    try {
      await collection.upsert(records);
    } catch (error) {
      if (classifyChromaError(error) !== 'mismatch') throw error;
      await (await collections.begin(dimensions)).collection.upsert(records);
    }
  };
  const removeDocuments = async (ids: readonly string[]): Promise<void> => {
    for (let start = 0; start < ids.length; start += DOCUMENTS_PER_CALL)
      await write(async () => {
        const current = await collections.current();
        await current?.collection.delete({ ids: ids.slice(start, start + DOCUMENTS_PER_CALL) });
      });
  };
  const close = async () => {
    isClosed = true;
    connection?.ending.abort();
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
      for (let start = 0; start < useful.length; start += DOCUMENTS_PER_CALL)
        await write(() => put(useful.slice(start, start + DOCUMENTS_PER_CALL), dimensions));
      await removeDocuments(all.filter(({ vector }) => !hasDirection(vector)).map(({ id }) => id));
    },
    removeDocuments,
    async remove(observationIds) {
      const ids = [...new Set(observationIds)];
      for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
        const where: Where = { observation_id: { $in: ids.slice(start, start + IDS_PER_CALL) } };
        // Deletes by ids in batches, because the server fails for a condition that matches thousands.
        let isDone = false;
        for (let round = 0; !isDone; round += 1) {
          if (round === MOST_ROUNDS)
            throw new SearchError(
              'search/vector-index-unavailable',
              'Chroma does not delete what it is told to',
            );
          await write(async () => {
            const current = await collections.current();
            const found = await current?.collection.get({ where, include: [], limit: DOCUMENTS_PER_CALL });
            if (found !== undefined && found.ids.length > 0)
              await current?.collection.delete({ ids: found.ids });
            isDone = found === undefined || found.ids.length < DOCUMENTS_PER_CALL;
          });
        }
      }
    },
    hashes: (observationIds) =>
      guarded(
        async () => {
          const current = await collections.current();
          if (current === null) return [];
          const hashes: { id: string; observationId: number; contentHash: string }[] = [];
          for (let start = 0; start < observationIds.length; start += IDS_PER_CALL) {
            const ids = observationIds.slice(start, start + IDS_PER_CALL);
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
      return guarded(
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
      guarded(
        async () => {
          const count: unknown = (await (await collections.current())?.collection.count()) ?? 0;
          if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
          throw new SearchError('search/vector-index-unavailable', 'Chroma says no number of documents');
        },
        { limitMs: queryLimitMs, asks: false },
      ),
    clear: () => write(() => collections.clear()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const MOST_HITS = 10_000;
const DOCUMENTS_PER_CALL = 500;
const IDS_PER_CALL = 200;
const WRITE_LIMIT_MS = 30_000;
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

function hasDirection(vector: Float32Array): boolean {
  return vector.every((value) => Number.isFinite(value)) && vector.some((value) => value !== 0);
}

/** Chroma rejects null and invalid Unicode. A missing field only fails the filters on it. */
function metadataOf({ id, contentHash, metadata }: VectorDocument): Record<string, string | number> {
  const fields = {
    content_hash: contentHash,
    doc_type: /_fact_\d+$/.test(id) ? 'fact' : 'narrative',
    observation_id: metadata.observationId,
    project: metadata.projectId,
    type: metadata.type,
    created_at_epoch: metadata.createdAtEpoch,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string | number][] => {
      if (typeof value === 'string') return [[name, truncate(value, 200).toWellFormed()]];
      return Number.isFinite(value) ? [[name, value]] : [];
    }),
  );
}

function whereOf(filter: VectorFilter | undefined): Where | 'everything' | 'nothing' {
  const { projectIds, types, fromEpoch, toEpoch } = filter ?? {};
  if (projectIds?.length === 0 || types?.length === 0) return 'nothing';
  const conditions: Where[] = [];
  if (projectIds !== undefined) conditions.push({ project: { $in: [...projectIds] } });
  if (types !== undefined)
    conditions.push({ type: { $in: types.map((type) => truncate(type, 200).toWellFormed()) } });
  if (fromEpoch !== undefined && Number.isFinite(fromEpoch))
    conditions.push({ created_at_epoch: { $gte: fromEpoch } });
  if (toEpoch !== undefined && Number.isFinite(toEpoch))
    conditions.push({ created_at_epoch: { $lte: toEpoch } });
  const [first, ...others] = conditions;
  if (first === undefined) return 'everything';
  return others.length === 0 ? first : { $and: conditions };
}

/** Responses are not trusted: rows that are not documents of this index are skipped. */
function hitOf(row: {
  id: string;
  distance?: number | null;
  metadata?: Record<string, unknown> | null;
}): VectorHit[] {
  const observationId = row.metadata?.['observation_id'];
  if (typeof row.distance !== 'number' || typeof observationId !== 'number') return [];
  if (!Number.isFinite(row.distance) || !Number.isSafeInteger(observationId)) return [];
  return [{ id: String(row.id), observationId, score: Math.max(-1, Math.min(1, 1 - row.distance)) }];
}
