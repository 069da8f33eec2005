import { homedir } from 'node:os';
import path from 'node:path';
import { noopLogger, systemClock, type Clock, type Logger } from '@claude-mem/core';
import { openLexicalIndex } from '@claude-mem/lexical-index';
import { openStorageReader } from '@claude-mem/storage';
import { buildFeed } from './feed/build-feed.js';
import { countActivity } from './feed/count-activity.js';
import { countFacets } from './feed/count-facets.js';
import { createLabelColumns } from './feed/label-columns.js';
import type { Degradation, Memory, MemoryStatus, SearchRequest } from './memory.js';
import type { Embedder } from './ports/embedder.js';
import type { VectorIndex } from './ports/vector-index.js';
import { createMeaning, type Meaning, type MeaningOver } from './search/create-meaning.js';
import { createCurrentDatabase } from './search/current-database.js';
import type { OpenParts } from './search/open-parts.js';
import { createProjectNames } from './search/project-names.js';
import { readContextMaterial } from './search/read-context-material.js';
import { readRecentContext } from './search/read-recent-context.js';
import { readIds, readRequest, requireValue, type ReadRequest } from './search/read-request.js';
import { searchObservations } from './search/search-observations.js';
import { searchPrompts } from './search/search-prompts.js';
import { searchSessions } from './search/search-sessions.js';
import { strategyOfAll } from './search/strategy-of-all.js';
import { buildTimeline } from './timeline/build-timeline.js';

export interface OpenMemoryOptions {
  /** Data folder of the worker. @default ~/.claude-mem */
  dataDir?: string;
  /** Vector index. An index that the caller opened is not closed with the memory. @default 'flat' */
  vectors?: 'flat' | 'none' | VectorIndex;
  /** The reason why there is none, as a sentence for the user. @default 'vectors are switched off' */
  whyNoVectors?: string;
  /**
   * The model of the vectors. An embedder that the caller created is not closed with the memory. @default 'use-lite'
   */
  embedder?: 'use-lite' | 'none' | Embedder;
  /** Milliseconds that lexical results wait for the vectors. @default 400 */
  vectorTimeoutMs?: number;
  /** @default noopLogger */
  logger?: Logger;
  /** @default the machine's clock */
  clock?: Clock;
}

/** Milliseconds that a search without lexical results waits for the vectors. */
const LONG_VECTOR_TIMEOUT_MS = 5_000;

interface Opened extends OpenParts {
  vectors: MeaningOver | null;
}

/**
 * Opens a memory for reading, whether or not a worker writes it. Indexes and the embedder are loaded by the first
 * search that needs them. Nothing is written, except the two side files of SQLite. Where SQLite cannot create them, a
 * copy of the database in the temporary folder is read, and replaced when the database changes.
 * @throws SearchError `search/no-memory` when there is no memory or it cannot be read
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const { logger = noopLogger, clock = systemClock, vectorTimeoutMs = 400 } = options;
  const file = path.join(options.dataDir ?? path.join(homedir(), '.claude-mem'), 'claude-mem.db');
  const { meaning, missing, close: closeMeaning } = await openMeaning(options, { logger, clock });
  const current = createCurrentDatabase<Opened>(file, () => {
    const reader = openStorageReader({ file, logger });
    const { store, searchTables: tables } = reader;
    const vectors = meaning?.over(tables) ?? null;
    const parts: Opened = {
      store,
      tables,
      clock,
      vectors,
      lexical: openLexicalIndex(tables),
      projects: createProjectNames(store, tables),
      labels: createLabelColumns(tables, clock),
      counted: new WeakMap(),
      meaning: {
        find: vectors?.find ?? null,
        missing,
        timeoutMs: vectorTimeoutMs,
        longTimeoutMs: LONG_VECTOR_TIMEOUT_MS,
      },
    };
    const close = async () => void (await Promise.all([vectors?.close(), reader.close()]));
    return { parts, isOutdated: reader.isOutdated, close };
  });
  try {
    await current.use(async () => undefined);
  } catch (error) {
    await closeMeaning();
    throw error;
  }

  /** Uses an index with few new records, so that this process does not wait for a large update. */
  const use = <Answer>(work: (parts: Opened) => Promise<Answer>): Promise<Answer> =>
    current.use(async (parts) => {
      await parts.lexical.catchUp();
      return work(parts);
    });
  const read = <Answer>(
    request: SearchRequest,
    search: (parts: OpenParts, request: ReadRequest) => Promise<Answer>,
  ): Promise<Answer> => use((parts) => search(parts, readRequest(request)));
  const observations = (request: SearchRequest) => read(request, searchObservations);
  const sessions = (request: SearchRequest) => read(request, searchSessions);
  const prompts = (request: SearchRequest) => read(request, searchPrompts);
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= Promise.all([closeMeaning(), current.close()]).then(() => undefined));

  return {
    search: async (request) => observations(request),
    searchObservations: async (request) => observations(request),
    searchSessions: async (request) => sessions(request),
    searchUserPrompts: async (request) => prompts(request),
    findByConcept: async (concept, more) =>
      observations({ ...more, query: '', concepts: requireValue('concept', concept) }),
    findByFile: async (file, more) => observations({ ...more, query: '', files: requireValue('file', file) }),
    findByType: async (type, more) => observations({ ...more, query: '', type: requireValue('type', type) }),
    getContextMaterial: (request) => current.use((parts) => readContextMaterial(parts, request)),
    getRecentContext: (request) => current.use((parts) => readRecentContext(parts, request)),
    advancedSearch: async (request) => {
      const [found, foundSessions, foundPrompts] = await Promise.all([
        observations(request),
        sessions(request),
        prompts(request),
      ]);
      return {
        observations: found,
        sessions: foundSessions,
        prompts: foundPrompts,
        strategy: strategyOfAll([found, foundSessions, foundPrompts]),
      };
    },
    feed: (request) => current.use((parts) => buildFeed(parts, request)),
    facets: (request) => current.use((parts) => countFacets(parts, request)),
    activity: (request) => current.use((parts) => countActivity(parts, request)),
    timeline: (request) => use((parts) => buildTimeline(parts, request)),
    getObservations: (ids) =>
      current.use(async ({ store }) => {
        const wanted = readIds(ids);
        const found = new Map((await store.observationsByIds(wanted)).map((one) => [one.id, one]));
        return wanted.flatMap((id) => found.get(id) ?? []);
      }),
    listProjects: () => current.use(({ store }) => store.listProjects()),
    status: () => use((parts) => readStatus(parts, missing)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function openMeaning(
  options: OpenMemoryOptions,
  { logger, clock }: { logger: Logger; clock: Clock },
): Promise<{ meaning: Meaning | null; missing: Degradation | null; close(): Promise<void> }> {
  const { vectors = 'flat', embedder = 'use-lite', whyNoVectors = 'vectors are switched off' } = options;
  if (vectors === 'none' || embedder === 'none') {
    const missing: Degradation =
      vectors === 'none'
        ? { part: 'vectors', reason: whyNoVectors }
        : { part: 'embedder', reason: 'the embedder is switched off' };
    return { meaning: null, missing, close: async () => undefined };
  }
  const isOwn = embedder === 'use-lite';
  const used = isOwn
    ? (await import('./embedders/use-lite/index.js')).createUseLiteEmbedder({ logger, clock })
    : embedder;
  const meaning = createMeaning({ embedder: used, vectors, clock, logger });
  return {
    meaning,
    missing: null,
    close: async () => {
      await meaning.close();
      if (isOwn) await used.close();
    },
  };
}

async function readStatus(
  { lexical, tables, vectors }: Opened,
  missing: Degradation | null,
): Promise<MemoryStatus> {
  const { state, observations } = lexical.read((reader) => ({
    state: reader.state,
    observations: reader.within({ kinds: ['observation'] }).size,
  }));
  const found = await vectors?.state();
  return {
    observations,
    lexical: { indexed: state.indexed, total: state.total },
    vectors: {
      index: found?.index ?? 'none',
      model: found?.model ?? null,
      documents: found?.documents ?? 0,
      waiting: tables.outboxCount(),
      problem: found?.problem ?? missing?.reason ?? null,
    },
  };
}
