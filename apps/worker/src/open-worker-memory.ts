import type { CapturedEvent, Clock, ProjectFinder } from '@claude-mem/core';
import { createConversations } from '@claude-mem/agent-providers';
import { createQueue } from '@claude-mem/queue';
import { loadMode, usageLimitsOf, type DataPaths, type Settings } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { createEraser } from './manual-memory/create-eraser.js';
import { createForgetBin } from './manual-memory/create-forget-bin.js';
import { createUndoing } from './manual-memory/create-undoing.js';
import {
  createCapture,
  createContextDelivery,
  createGroupCommit,
  createProjectRelocation,
  createRepositoryReader,
} from '@claude-mem/capture';
import type { LiveSettings } from './lifecycle/create-live-settings.js';
import type { WorkerLog } from './log/create-log.js';
import { CONTEXT_FILE_SETTINGS, openContextFiles } from './context-files/open-context-files.js';
import { feedContextFiles } from './context-files/with-context-files.js';
import { createFreshness, type RunGit } from '@claude-mem/freshness';
import { chooseProviders } from './observe/choose-providers.js';
import { createObserver } from './observe/create-observer.js';
import { replaySession } from './evaluation/replay-session.js';
import { failureOf } from './observe/failure-of.js';
import { createObserving } from './observe/create-observing.js';
import { recordConversation } from './observe/record-conversation.js';
import type { OpenMemory } from './open-memory.js';
import type { ProviderTable } from './providers/create-provider-table.js';
import { createSearching } from './search/create-searching.js';
import { openSearchParts } from './search/open-search-parts.js';
import { createChangeFeed } from './stream/create-change-feed.js';
import type { StreamHub } from './stream/create-stream-hub.js';

/** What the observer depends on: a change starts it anew. */
const OBSERVER_DEPENDENCIES: readonly (keyof Settings)[] = [
  ...OBSERVER_SETTINGS.map(({ property }) => property),
  'mode',
  'language',
  'verbosity',
  'requestMaxTokens',
  'budgetDayCalls',
  'budgetDayTokens',
  'budgetDayUsd',
  'budgetSessionTokens',
  'batchingEnabled',
  'batchMaxSize',
];

/** What search depends on: a change opens it anew. */
const SEARCH_SETTINGS: readonly (keyof Settings)[] = [
  'vectorIndex',
  'chromaUrl',
  'chromaTenant',
  'chromaDatabase',
  'chromaToken',
  'embedder',
  'embedderModel',
  'embedderBaseUrl',
  'embedderApiKey',
];

/** Where requests have no limit, what a conversation carries along still has one. */
const USUAL_REQUEST = 8_000;
/** The host waits with a compacted conversation while the observer finishes what was done before. */
const COMPACTION_PATIENCE_MS = 250;

/** Opens the database and puts together what works on it. */
export async function openWorkerMemory({
  paths,
  live,
  findProject,
  git,
  home,
  providers,
  hub,
  lastEventAt,
  onCaptured,
  clock,
  log,
  signal,
}: {
  paths: DataPaths;
  live: LiveSettings;
  findProject: ProjectFinder;
  git: RunGit;
  home: string;
  providers: ProviderTable;
  hub: StreamHub;
  /** When something last came in. */
  lastEventAt(): number;
  onCaptured(): void;
  clock: Clock;
  log: WorkerLog;
  signal: AbortSignal;
}): Promise<OpenMemory> {
  const settings = () => live.current();
  const storage = await openStorage({
    file: paths.database,
    backupsDir: paths.backupsDir,
    backupKeep: settings().backupKeep,
    clock,
    logger: log,
  });
  const { store, messages } = storage;
  const open = await store.recoverUsage();
  if (open > 0) log.warn({ open }, 'Calls of an earlier run have no known end; they count as estimated');
  const searching = createSearching({
    storage,
    openParts: (current) => openSearchParts({ paths, settings: current, storage, clock, log }),
    settings,
    settingsChanged: (options) => live.changed(SEARCH_SETTINGS, options),
    lastEventAt,
    clock,
    log,
    signal,
  });
  const contextFiles = openContextFiles({
    store,
    settings,
    findProject,
    git,
    home,
    paths,
    settingsChanged: (options) => live.changed(CONTEXT_FILE_SETTINGS, options),
    clock,
    log,
    signal,
  });
  const toStream = createChangeFeed({ store, messages, hub, clock, log, signal });
  const feed = feedContextFiles(toStream, contextFiles, log);
  const observing = createObserving({
    choose: (current) => chooseProviders(current, { table: providers, clock }),
    createQueue: (asked, { batchingEnabled, batchMaxSize }) =>
      createQueue({
        messages,
        clock,
        logger: log,
        options: { ...asked, maxCount: batchingEnabled ? batchMaxSize : 1, failureOf },
      }),
    createHandler: (parts) =>
      createObserver({
        ...parts,
        store,
        requestOptions: () => requestOptionsOf(settings()),
        findProject,
        recordConversation,
        clock,
        log,
        onCommitted(reply) {
          feed.committed(reply);
          if (reply.observations.length > 0) searching.wake();
        },
      }),
    createConversations: ({ requestMaxTokens }) => {
      const maxRequestTokens = requestMaxTokens || USUAL_REQUEST;
      return createConversations({
        maxHistoryTokens: Math.floor(maxRequestTokens / 8),
        maxRequestTokens,
        clock,
      });
    },
    settingsChanged: (options) => live.changed(OBSERVER_DEPENDENCIES, options),
    settings,
    clock,
    log,
    signal,
  });
  const freshness = createFreshness({ store, git, findProject, lastEventAt, clock, log, signal });
  const contextDelivery = createContextDelivery({
    store,
    memory: searching.memory,
    isMemoryOpen: searching.isOpen,
    freshness,
    findProject,
    git,
    settings,
    launcher: paths.launcher,
    providedTo: contextFiles.providedTo,
    observePending: (sessionId) => observing.flush(sessionId, { patienceMs: COMPACTION_PATIENCE_MS }),
    clock,
    log,
  });
  const commit = createGroupCommit({
    store,
    onCommitted(results, events) {
      contextDelivery.injections.flush();
      onCaptured();
      if (results.some(({ kind }) => kind === 'stored'))
        observing.notify({ isTurnOver: events.some(endsTurn) });
      for (const [index, { kind }] of events.entries()) {
        const result = results[index];
        if (kind === 'compaction' && result) void observing.flush(result.sessionId, { patienceMs: 0 });
      }
      feed.captured(results);
    },
    clock,
    signal,
  });
  const relocation = createProjectRelocation({
    store,
    repositories: createRepositoryReader(git),
    log,
    signal,
  });
  const capture = createCapture({
    ...{ commit, findProject, relocation, settings, clock },
    observerDir: paths.observerDir,
    onCommitted({ kind }, { result, found: { root } }) {
      if (root === null) return;
      if (kind === 'session-start') contextFiles.wake(root);
      // there are many tool uses
      if (kind !== 'tool-use') freshness.wake(result.projectId, root);
    },
  });
  const eraser = createEraser({ store, clock, log, signal });
  const undoing = createUndoing({ store, feed, searching, observing, clock });
  return {
    storage,
    store,
    messages,
    capture,
    contextDelivery,
    observing,
    commit,
    feed,
    searching,
    contextFiles,
    relocation,
    freshness,
    undoing,
    forgetBin: createForgetBin({ store, undoing, eraser, clock, log, signal }),
    eraser,
    replay: async (session, { limit }) =>
      replaySession(
        { memory: await searching.memory(), store, settings: settings(), launcher: paths.launcher },
        session,
        { limit, signal },
      ),
  };
}

/** A tool use only adds to its turn; everything else may make one due. */
const endsTurn = ({ kind }: CapturedEvent) => kind !== 'tool-use';

const requestOptionsOf = (settings: Settings) => ({
  mode: loadMode(settings.mode),
  language: settings.language,
  verbosity: settings.verbosity,
  maxTokens: settings.requestMaxTokens,
  limits: usageLimitsOf(settings),
});
