import {
  MESSAGE_OUTCOMES,
  type Clock,
  type Logger,
  type Store,
  type StoreStats,
  type VectorOutbox,
} from '@claude-mem/core';
import { createIndexWriter, type IndexWriter, type ReadRecords } from '@claude-mem/lexical-index';
import { createCapture } from './capture/capture.js';
import type { Ledger } from './capture/ledger.js';
import { createSessionWriter } from './capture/session-writer.js';
import type { Database } from './database/driver.js';
import { createTypedDatabase } from './database/typed-database.js';
import { withLazyStatements } from './lazy-statements.js';
import { createCommitReply } from './queue/commit-reply.js';
import { createMessageWriter } from './queue/message-writer.js';
import { createConversationReader } from './records/conversation.js';
import { createCurrentConversations } from './records/current-conversations.js';
import { createCounts } from './records/counts.js';
import { createEditObservation } from './records/edit-observation.js';
import { createErase, createIsErased, type Erase } from './records/erase-forgotten.js';
import { createExportRecords } from './records/export-records.js';
import { createForget } from './records/forget.js';
import { createForgetBin } from './records/forget-bin.js';
import { createForgotten } from './records/forgotten.js';
import { createHoldoutReader } from './records/holdout.js';
import { createImport } from './records/import-records.js';
import { createFreshnessRecords } from './records/freshness.js';
import { createInjectionReader, createInjectionWriter } from './records/injections.js';
import { createMoveProject } from './records/move-project.js';
import { createObservationRecords } from './records/observations.js';
import { createProjectRecords } from './records/projects.js';
import { createPromptRecords } from './records/prompts.js';
import { createRecordsInOrder } from './records/records-in-order.js';
import { createRemember } from './records/remember.js';
import { createSessionRecords } from './records/sessions.js';
import { createSummaryRecords } from './records/summaries.js';
import { createTimeline } from './records/timeline.js';
import { createToolUseReader, createToolUseWriter } from './records/tool-uses.js';
import { createUsageMeter } from './usage/usage-meter.js';
import { createUsageReader } from './usage/usage-reader.js';
import { createVectorOutbox } from './vectors/vector-outbox.js';

/** The read operations of the port. A reader implements them too. */
export type StoreReader = Omit<
  Store,
  | 'capture'
  | 'commitReply'
  | 'reserveUsage'
  | 'settleUsage'
  | 'recoverUsage'
  | 'recordInjection'
  | 'abortSession'
  | 'interruptIdleSessions'
  | 'importRecords'
  | 'remember'
  | 'editObservation'
  | 'forget'
  | 'undoForget'
  | 'moveProject'
  | 'setRepository'
  | 'listRepositories'
  | 'listUndoing'
  | 'listForgotten'
  | 'setFreshness'
  | 'finishForgetting'
  | 'eraseForgotten'
>;

/** The operations of one connection. */
export type OwnStore = Omit<Store, 'eraseForgotten'>;

/** Creates the write operations of an open, migrated database with its search index. */
export function createStore(
  connection: Database,
  ledger: Ledger,
  { clock, logger }: { clock: Clock; logger: Logger },
): { store: OwnStore; vectors: VectorOutbox; search: IndexWriter; erase: Erase } {
  const database = withLazyStatements(connection);
  const records = createRecords(database, logger);
  const search = createIndexWriter(database, { records: indexableRecords(records), clock, logger });
  const messages = createMessageWriter(database);
  const sessions = createSessionWriter(database, records.projects, search);
  const toolUses = createToolUseWriter(database);
  const captureOne = createCapture({ database, sessions, messages, ledger, search, toolUses });
  const capture = database.transaction((events: Parameters<Store['capture']>[0]) => events.map(captureOne));
  const meter = createUsageMeter(database);
  const commitReply = database.transaction(
    createCommitReply({ database, ledger, meter, search, ...records }),
  );
  const reserveUsage = database.transaction(meter.reserve);
  const settleUsage = database.transaction(meter.settle);
  const recoverUsage = database.transaction(meter.recover);

  const openMessages = database.prepare(
    'DELETE FROM pending_messages WHERE session_id = ? RETURNING dedupe_key AS dedupeKey',
  );
  const endSession = database.prepare(
    `UPDATE sdk_sessions SET status = 'interrupted', completed_at_epoch = ? WHERE id = ? AND status = 'active'`,
  );
  const abort = database.transaction((id: number, request: { now: number; reason: string }) => {
    if (!records.sessions.get(id)) return null;
    const dropped = openMessages.all(id) as { dedupeKey: string }[];
    for (const { dedupeKey } of dropped) ledger.end(id, dedupeKey, 'dropped', request.reason);
    endSession.run(request.now, id);
    return dropped.length;
  });
  const interruptIdle = database.prepare(
    `UPDATE sdk_sessions SET status = 'interrupted' WHERE status = 'active' AND last_activity_epoch < ?`,
  );

  const recordInjection = database.transaction(createInjectionWriter(database));
  const { observations, projects } = records;
  const importAll = database.transaction(createImport({ database, search, toolUses, ...records }));
  const edit = createEditObservation(database, observations, search);
  const editOne = database.transaction(edit);
  const remember = database.transaction(createRemember({ database, observations, projects, search, edit }));
  const forgotten = createForgotten(database);
  const bin = createForgetBin({
    database,
    ledger,
    observations,
    forgotten,
    takePending: search.takePending,
  });
  const forget = database.transaction(createForget({ database, observations, ledger, bin }));
  const undoForget = database.transaction(bin.undo);
  const finishForgetting = database.transaction(bin.finish);
  const moveProject = database.transaction(createMoveProject(database, projects, search));
  const setRepository = database.transaction(projects.setRepository);
  const setFreshness = database.transaction(records.freshness.set);

  const store: OwnStore = {
    ...createReadMethods(database, records),
    capture: async (events) => (events.length === 0 ? [] : capture.immediate(events)),
    commitReply: async (reply) => commitReply.immediate(reply),
    reserveUsage: async (request) => reserveUsage.immediate(request),
    settleUsage: async ({ callId, usage }) => settleUsage.immediate({ callId, usage, isAnswered: false }),
    recoverUsage: async () => recoverUsage.immediate(),
    recordInjection: async (injection) => recordInjection.immediate(injection),
    abortSession: async (id, request) => abort.immediate(id, request),
    interruptIdleSessions: async ({ inactiveSince }) => interruptIdle.run(inactiveSince).changes,
    async importRecords(list, options) {
      const result = importAll.immediate(list, options);
      // Runs in its own transaction, so that new events do not wait for two operations.
      await new Promise((resolve) => setImmediate(resolve));
      if (database.open) await search.upkeep.step({ limit: 1, foldAt: Infinity });
      return result;
    },
    remember: async (request) => remember.immediate(request),
    editObservation: async (id, change, now, options) => editOne.immediate(id, change, now, options),
    forget: async (request) => forget.immediate(request),
    undoForget: async (id, now) => undoForget.immediate(id, now),
    listUndoing: async () => bin.undoing(),
    listForgotten: async (now) => bin.list(now),
    finishForgetting: async (now) => finishForgetting.immediate(now),
    listRepositories: async () => projects.repositories(),
    moveProject: async (request) => moveProject.immediate(request),
    setRepository: async (id, repository) => setRepository.immediate(id, repository),
    setFreshness: async (rows) => setFreshness.immediate(rows),
  };
  return {
    store,
    vectors: createVectorOutbox(database, records.observations),
    search,
    erase: createErase(database, search),
  };
}

/** Creates the read operations of a read-only connection. */
export function createStoreReader(database: Database, logger: Logger): StoreReader {
  return createReadMethods(database, createRecords(database, logger));
}

type Records = ReturnType<typeof createRecords>;

function createRecords(database: Database, logger: Logger) {
  const typed = createTypedDatabase(database);
  return {
    projects: createProjectRecords(database, typed),
    sessions: createSessionRecords(typed, logger),
    prompts: createPromptRecords(typed),
    summaries: createSummaryRecords(typed, logger),
    observations: createObservationRecords(database, typed, logger),
    freshness: createFreshnessRecords(database, logger),
  };
}

function indexableRecords({ observations, summaries, prompts }: Records): ReadRecords {
  return {
    observation: (ids) => observations.byIds(ids).map((item) => ({ kind: 'observation', ...item })),
    summary: (ids) => summaries.byIds(ids).map((item) => ({ kind: 'summary', ...item })),
    prompt: (ids) => prompts.byIds(ids).map((item) => ({ kind: 'prompt', ...item })),
  };
}

function createReadMethods(database: Database, records: Records): StoreReader {
  const { projects, sessions, prompts, observations, summaries, freshness } = records;
  const observationsOf = database
    .prepare(`SELECT value FROM counters WHERE name = 'observations' AND scope = ?`)
    .pluck();
  const stats = createStats(database);
  const usage = createUsageReader(database);
  const timeline = createTimeline(database, records);
  const recordsInOrder = createRecordsInOrder(database);
  const counts = createCounts(database);
  const toolUses = createToolUseReader(database);
  const holdout = createHoldoutReader(database);
  const injections = createInjectionReader(database);
  const exportRecords = createExportRecords(database, records);
  const conversation = createConversationReader(database);
  const currentConversations = createCurrentConversations(database, observations);
  const isErased = createIsErased(database);
  return {
    getSession: async (id) => sessions.get(id),
    findSession: async (key) => sessions.find(key),
    listSessions: async (options) => sessions.list(options),
    sessionCounts: async (ids) => counts.ofSessions(ids),
    toolUses: async (sessionId) => toolUses(sessionId),
    holdoutShare: async (key) => holdout.share(key),
    holdoutSessions: async (filter) => holdout.sessions(filter),
    listInjections: async (sessionId) => injections(sessionId),
    getProject: async (id) => projects.get(id),
    findProject: async (key) => projects.find(key),
    listProjects: async () => projects.list(),
    projectCounts: async (id) => counts.ofProject(id),
    turnPrompts: async (sessionId, promptNumber) => prompts.ofTurn(sessionId, promptNumber),
    conversation: async (sessionId, options) => conversation(sessionId, options),
    currentConversations: async (sessionIds) => currentConversations(sessionIds),
    listPrompts: async (options) => prompts.list(options),
    listObservations: async (filter) => observations.list(filter),
    listConversationRecords: async (projectId, options) =>
      observations.conversationRecords(projectId, options),
    listSummaries: async (options) => summaries.list(options),
    listLabels: async () => observations.labels(),
    recordedTitles: async (sessionId, limit) => observations.titles(sessionId, limit),
    contextMaterial: async ({ projectId, now, ...limits }) => ({
      summaries: readUntilNow(now, (latest) =>
        summaries.newest(projectId, { limit: limits.summaries, latest }),
      ),
      pinned: observations.pinned(projectId),
      decisions: observations.conversationRecords(projectId, {
        exceptSession: NO_SESSION,
        limit: MAX_DECISIONS,
      }),
      observations: readUntilNow(now, (latest) =>
        observations.newest(projectId, { limit: limits.observations, latest }),
      ),
      totalObservations: (observationsOf.get(projectId) as number | undefined) ?? 0,
    }),
    observationsByIds: async (ids) => observations.byIds(ids),
    summariesByIds: async (ids) => summaries.byIds(ids),
    promptsByIds: async (ids) => prompts.byIds(ids).map(({ projectId: _, ...prompt }) => prompt),
    sessionsByIds: async (ids) => sessions.byIds(ids),
    latestSummaries: async (sessionIds) => summaries.latest(sessionIds),
    recordsAround: async (request) => timeline(request),
    recordsInOrder: async (range) => recordsInOrder(range),
    supersededBy: async (id) => observations.supersededBy(id),
    listObservationFiles: async (request) => freshness.listFiles(request),
    freshnessOf: async (ids) => freshness.of(ids),
    listStale: async (request) => freshness.listStale(request),
    exportRecords: async (request) => exportRecords(request),
    isErased: async () => isErased(),
    stats: async () => stats(),
    usage: async (request) => usage(request),
  };
}

function createStats(database: Database): () => StoreStats {
  const totals = database.prepare('SELECT name, sum(value) AS value FROM counters GROUP BY name');
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck();
  const counts = {
    projects: count('projects'),
    sessions: count('sdk_sessions'),
    prompts: count('user_prompts'),
    summaries: count('session_summaries'),
  };
  const pages = database
    .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    .pluck();
  return () => {
    const counted = new Map(
      (totals.all() as { name: string; value: number }[]).map(({ name, value }) => [name, value]),
    );
    return {
      projects: counts.projects.get() as number,
      sessions: counts.sessions.get() as number,
      prompts: counts.prompts.get() as number,
      summaries: counts.summaries.get() as number,
      observations: counted.get('observations') ?? 0,
      databaseBytes: pages.get() as number,
      outcomes: Object.fromEntries(
        MESSAGE_OUTCOMES.map((outcome) => [outcome, counted.get(outcome) ?? 0]),
      ) as StoreStats['outcomes'],
    };
  };
}

const NO_SESSION = 0;
const MAX_DECISIONS = 10;

/** A clock is rarely a day ahead, so records with such a time are the newest ones. */
const AHEAD_MS = 86_400_000;

function readUntilNow<Row>(
  now: number | undefined,
  read: (latest: number) => readonly Row[],
): readonly Row[] {
  const rows = now === undefined ? [] : read(now + AHEAD_MS);
  return rows.length > 0 ? rows : read(Number.MAX_SAFE_INTEGER);
}
