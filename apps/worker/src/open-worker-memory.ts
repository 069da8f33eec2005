import {
  createCapture,
  createContextDelivery,
  createGroupCommit,
  createProjectRelocation,
  createRepositoryReader,
} from '@claude-mem/capture';
import type { Clock, Logger, ProjectFinder } from '@claude-mem/core';
import { createFreshness, type RunGit } from '@claude-mem/freshness';
import { createObserver, type ProviderTable } from '@claude-mem/observer';
import type { DataPaths } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { CONTEXT_FILE_SETTINGS, openContextFiles } from './context-files/open-context-files.js';
import { feedContextFiles } from './context-files/with-context-files.js';
import { replaySession } from './evaluation/replay-session.js';
import type { LiveSettings } from './lifecycle/create-live-settings.js';
import { createEraser } from './manual-memory/create-eraser.js';
import { createForgetBin } from './manual-memory/create-forget-bin.js';
import { createUndoing } from './manual-memory/create-undoing.js';
import type { OpenMemory } from './open-memory.js';
import { createSearching } from './search/create-searching.js';
import { openSearchParts, SEARCH_SETTINGS } from './search/open-search-parts.js';
import { createChangeFeed } from './stream/create-change-feed.js';
import type { StreamHub } from './stream/create-stream-hub.js';

/** The host waits this long with a compacted conversation for records of its earlier turns. */
const COMPACTION_TIMEOUT_MS = 250;

/** Opens the database, and creates the parts of the worker that use it. */
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
  lastEventAt(): number;
  onCaptured(): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<OpenMemory> {
  const settings = live.current;
  const { database: file, backupsDir } = paths;
  const { backupKeep } = settings();
  const storage = await openStorage({ file, backupsDir, backupKeep, clock, logger: log });
  const { store, messages } = storage;
  const open = await store.recoverUsage();
  if (open > 0) log.warn({ open }, 'Calls of an earlier run have no known end; they count as estimated');
  const shared = { store, settings, findProject, git, clock, log, signal };
  const searching = createSearching({
    ...shared,
    storage,
    openParts: (current) => openSearchParts({ paths, settings: current, storage, clock, log }),
    settingsChanged: (options) => live.changed(SEARCH_SETTINGS, options),
    lastEventAt,
  });
  const contextFiles = openContextFiles({
    ...shared,
    home,
    paths,
    settingsChanged: (options) => live.changed(CONTEXT_FILE_SETTINGS, options),
  });
  const feed = feedContextFiles(createChangeFeed({ ...shared, messages, hub }), contextFiles, log);
  const observer = createObserver({
    ...shared,
    messages,
    providers,
    settingsChanged: live.changed,
    onCommitted(reply) {
      feed.committed(reply);
      if (reply.observations.length > 0) searching.wake();
    },
  });
  const freshness = createFreshness({ ...shared, lastEventAt });
  const contextDelivery = createContextDelivery({
    ...shared,
    memory: searching.memory,
    isMemoryOpen: searching.isOpen,
    freshness,
    launcher: paths.launcher,
    providedTo: contextFiles.findProvided,
    observePending: (sessionId) => observer.flush(sessionId, { timeoutMs: COMPACTION_TIMEOUT_MS }),
  });
  const commit = createGroupCommit({
    ...shared,
    onCommitted(results, events) {
      contextDelivery.injections.flush();
      onCaptured();
      observer.captured(results, events);
      feed.captured(results);
    },
  });
  const relocation = createProjectRelocation({ ...shared, repositories: createRepositoryReader(git) });
  const capture = createCapture({
    ...shared,
    commit,
    relocation,
    observerDir: paths.observerDir,
    onCommitted({ kind }, { result, found: { root } }) {
      if (root === null) return;
      if (kind === 'session-start') contextFiles.wake(root);
      // There are many tool uses.
      if (kind !== 'tool-use') freshness.wake(result.projectId, root);
    },
  });
  const eraser = createEraser(shared);
  const undoing = createUndoing({ ...shared, feed, searching, observing: observer });
  return {
    storage,
    store,
    messages,
    capture,
    contextDelivery,
    observer,
    commit,
    feed,
    searching,
    contextFiles,
    relocation,
    freshness,
    undoing,
    forgetBin: createForgetBin({ ...shared, undoing, eraser }),
    eraser,
    replay: async (session, { limit }) =>
      replaySession(
        { memory: await searching.memory(), store, settings: settings(), launcher: paths.launcher },
        session,
        { limit, signal },
      ),
  };
}
