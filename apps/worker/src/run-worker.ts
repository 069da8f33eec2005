import { once, setMaxListeners } from 'node:events';
import { createGit } from '@claude-mem/freshness';
import { createAccess } from './access/create-access.js';
import { createEventIntake } from './create-event-intake.js';
import { urlOf } from './http/address.js';
import { createListeners } from './http/create-listeners.js';
import { createRequestHandler } from './http/create-request-handler.js';
import { chooseSocket } from './lifecycle/choose-socket.js';
import { createHealth } from './lifecycle/create-health.js';
import { createReadiness } from './lifecycle/create-readiness.js';
import { openWithRetry } from './lifecycle/open-with-retry.js';
import { processDiagnostics } from './lifecycle/process-diagnostics.js';
import { runBackgroundWork, watchLockFile } from './lifecycle/run-background-work.js';
import { releaseStartupLock, removeTraces, writeState } from './lifecycle/state-file.js';
import { loadWorkerToken } from './lifecycle/worker-token.js';
import { openWorkerMemory } from './open-worker-memory.js';
import { createStreamHub } from './stream/create-stream-hub.js';
import type { RunWorkerOptions } from './worker-options.js';

/** Time limit of running requests during the shutdown, which takes at most 2 s. */
const GRACE_MS = 300;
const SETTINGS_RETRY_MS = 5_000;

/**
 * Creates the parts of the worker and runs them until aborted. The order matters: the listeners first, so that status reports work, then
 * the database, then the spool. Hooks are accepted last. The shutdown has the reverse order.
 */
export async function runWorker(options: RunWorkerOptions): Promise<'already-running' | 'ended'> {
  const { clock, startedAt, live, dayFile, log, teardown, version, pid, isLocked, programs, home } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  setMaxListeners(0, signal); // Every part of the worker listens to it.
  const { paths, settings } = live.loaded();
  const isLockReplaced = watchLockFile(paths.lockFile);
  let uncaughtErrors = 0;
  let lastEventAt = startedAt;
  options.onUncaughtError?.((error) => {
    uncaughtErrors += 1;
    log.error({ error }, 'Uncaught error');
  });

  const readiness = createReadiness();
  const intake = createEventIntake({ ...options, readiness, stop });
  const { counters, spool } = intake;
  const hub = createStreamHub({ run: startedAt.toString(36) });
  const token = loadWorkerToken(paths.tokenFile);
  const access = createAccess({ token, now: clock.now, userId: options.userId });
  const writeOwnState = () => {
    const { isListening, port } = listeners.tcp();
    const socket = listeners.socket();
    writeState(paths, { pid, port: isListening ? port : null, socket, version, startedAtEpoch: startedAt });
  };
  const listeners = createListeners({ settings, access, onTcpChanged: writeOwnState, clock, log, signal });
  const health = createHealth({
    ...options,
    ...listeners,
    now: clock.now,
    dataDir: paths.dataDir,
    logFile: dayFile.path,
    readiness: readiness.state,
    memory: readiness.memory,
    spool: spool.counts,
    counters,
    diagnostics: () =>
      processDiagnostics({
        listeners: listeners.problems(),
        port: listeners.tcp().problem,
        isLocked,
        settings: [...live.loaded().problems, ...options.networkProblems],
        lostLogLines: dayFile.lostLines(),
        blankEvents: counters.blank,
        uncaughtErrors,
      }),
  });
  const handler = await createRequestHandler(
    {
      ...intake,
      ...{ access, live, paths, hub, health, clock, log, version, pid },
      viewerUrl: () => urlOf(listeners.tcp()),
      memory: readiness.need,
      failure: readiness.failure,
      onQueueChanged: () => readiness.memory()?.feed.queueChanged(),
      stop: () => stop.abort(),
    },
    {
      viewerDir: options.viewerDir ?? null,
      onViewerOpened: () => readiness.memory()?.searching.prepareForViewer(),
      teardown,
    },
  );
  signal.throwIfAborted();

  await listeners.open(chooseSocket(paths, options), handler);
  teardown.add('listeners', () => listeners.close({ graceMs: 0 }));
  if (!isLocked && listeners.isSocketTaken()) return 'already-running';
  const closeListeners = async () => {
    readiness.stopping();
    hub.close();
    await listeners.close({ graceMs: GRACE_MS });
  };
  teardown.add('traces', () => removeTraces(paths));
  teardown.add('open requests', closeListeners);
  writeOwnState();

  // Without the settings file, excluded projects are unknown, so events wait in the spool until the file is repaired.
  while (!live.loaded().isFileUsable) {
    readiness.failed(live.loaded().problems.join(' '));
    await clock.sleep(SETTINGS_RETRY_MS, { signal });
    live.refresh();
  }
  const git = createGit({ searchPath: options.searchPath ?? '', home });
  const shared = { ...options, paths, hub, lastEventAt: () => lastEventAt, signal };
  const memory = await openWithRetry({
    open: () =>
      openWorkerMemory({ ...shared, ...intake, git, onCaptured: () => void (lastEventAt = clock.now()) }),
    onFailure: (reason, isTemporary) => (isTemporary ? readiness.starting(reason) : readiness.failed(reason)),
    ...{ clock, log, signal },
  });
  teardown.add('database', () => memory.storage.close());
  teardown.add('search', () => memory.searching.close());
  readiness.open(memory);
  await spool.drain();
  signal.throwIfAborted();
  readiness.ready();
  releaseStartupLock(paths);
  log.info({ ms: clock.now() - startedAt }, 'Worker ready');

  const work = runBackgroundWork({
    ...shared,
    programs,
    memory,
    spool,
    isLockLost: () => isLocked && isLockReplaced(),
  });
  teardown.add('work', async () => {
    await Promise.all([closeListeners(), work]);
    await Promise.all([memory.commit.settled(), memory.relocation.idle()]);
  });
  if (!signal.aborted) await once(signal, 'abort');
  return 'ended';
}
