import { setMaxListeners } from 'node:events';
import { statSync } from 'node:fs';
import type { Clock, Logger } from '@claude-mem/core';
import type { HookEnv } from '@claude-mem/host-adapters';
import { rememberPrograms } from '@claude-mem/worker-protocol/local';
import { createAccess } from './access/create-access.js';
import {
  createCaptureCounters,
  createProjectFinder,
  createSpool,
  createHookReader,
  captureSpooled,
} from '@claude-mem/capture';
import { syncFailureMarker } from './lifecycle/sync-failure-marker.js';
import { createGit } from '@claude-mem/freshness';
import { createHttpApp } from './http/create-http-app.js';
import { openDoors, type Doors } from './http/open-doors.js';
import { registerRoutes } from './http/register-routes.js';
import { createViewer } from './http/create-viewer.js';
import { urlOf } from './http/address.js';
import { chooseSocket } from './lifecycle/choose-socket.js';
import { createHealth } from './lifecycle/create-health.js';
import type { LiveSettings } from './lifecycle/create-live-settings.js';
import { createReadiness } from './lifecycle/create-readiness.js';
import { isNewerVersion } from './lifecycle/is-newer-version.js';
import { keepNewerPrograms } from './lifecycle/keep-newer-programs.js';
import type { Teardown } from './lifecycle/create-teardown.js';
import { processFindings } from './lifecycle/process-findings.js';
import { openWithPatience } from './lifecycle/open-with-patience.js';
import { runUpkeep } from './lifecycle/run-upkeep.js';
import { releaseStartupLock, removeTraces, writeState } from './lifecycle/state-file.js';
import { loadWorkerToken } from './lifecycle/worker-token.js';
import type { DayFile } from './log/create-day-file.js';
import { openWorkerMemory } from './open-worker-memory.js';
import type { StartWorkerOptions } from './start-worker.js';
import { createStreamHub } from './stream/create-stream-hub.js';

export interface RunWorkerOptions extends StartWorkerOptions {
  clock: Clock;
  startedAt: number;
  live: LiveSettings;
  dayFile: DayFile;
  log: Logger;
  teardown: Teardown;
  /** False where locks do not work; another worker is then only found by its socket. */
  isLocked: boolean;
  /** What is wrong with the settings about the network. */
  networkProblems: readonly string[];
}

/** How long running requests may take when ending; the whole end has 2 s. */
const GRACE_MS = 300;
const TICK_MS = 5_000;

/**
 * Puts the parts together and runs them until aborted. The order matters: doors first, so that it can be seen alive, then
 * the database, then the spool, and only then are hooks accepted. The end goes the other way round.
 */
export async function runWorker(options: RunWorkerOptions): Promise<'already-running' | 'ended'> {
  const { clock, startedAt, live, dayFile, log, teardown, version, pid } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  setMaxListeners(0, signal); // every part of the worker listens to it
  const { paths, settings } = live.loaded();
  let doors: Doors | null = null;
  const ownLock = inodeOf(paths.lockFile);
  let strays = 0;
  let lastEventAt = startedAt;
  options.onStray?.((error) => {
    strays += 1;
    log.error({ error }, 'An error that nobody caught');
  });

  const git = createGit({ searchPath: options.searchPath ?? '', home: options.home });
  const readiness = createReadiness();
  const counters = createCaptureCounters();
  const hub = createStreamHub({ run: startedAt.toString(36) });
  const places = { home: options.home, tmpDir: options.tmpDir };
  const findProject = createProjectFinder({ settings: live.current, clock, ...places });
  const readHook = createHookReader({
    dataDir: paths.dataDir,
    observerDir: paths.observerDir,
    home: options.home,
  });
  const canStore = ({ projectDir }: { projectDir: string | null }) =>
    live.current().enabled && !findProject({ projectDir, cwd: null }).isExcluded;
  /** The next event starts the worker that belongs to the newer hook. */
  const yieldToNewer = ({ version: hookVersion }: HookEnv) => {
    if (!isNewerVersion(hookVersion, version) || stop.signal.aborted) return;
    log.info({ version, hookVersion }, 'A newer version is installed; this worker ends');
    stop.abort();
  };
  const spool = createSpool({
    paths,
    take: (hook) =>
      captureSpooled(
        {
          ...readiness.opened(),
          readHook,
          counters,
          canStore,
          onCaptured: (env) => {
            // an older event may be of a version that was removed since
            if (hook.occurredAtEpoch >= startedAt) yieldToNewer(env);
          },
        },
        hook,
      ),
    clock,
    log,
  });
  const health = createHealth({
    version,
    pid,
    startedAt,
    now: clock.now,
    dataDir: paths.dataDir,
    logFile: dayFile.path,
    readiness: readiness.state,
    memory: readiness.memory,
    socket: () => doors?.socket() ?? null,
    tcp: () => doors?.tcp() ?? CLOSED,
    spool: spool.counts,
    counters,
    residentBytes: options.residentBytes,
    findings: () =>
      processFindings({
        doors: doors?.problems() ?? [],
        port: doors?.tcp().problem ?? null,
        isLocked: options.isLocked,
        settings: [...live.loaded().problems, ...options.networkProblems],
        lostLogLines: dayFile.lostLines(),
        blankEvents: counters.blank,
        strays,
      }),
  });
  const writeOwnState = () => {
    const tcp = doors?.tcp() ?? CLOSED;
    const port = tcp.isListening ? tcp.port : null;
    writeState(paths, { pid, port, socket: doors?.socket() ?? null, version, startedAtEpoch: startedAt });
  };

  const access = createAccess({
    token: loadWorkerToken(paths.tokenFile),
    now: clock.now,
    userId: options.userId,
  });
  const app = createHttpApp({ log });
  const viewer = createViewer({
    folder: options.viewerDir ?? null,
    onOpened: () => readiness.memory()?.searching.prepareForViewer(),
    log,
  });
  await registerRoutes(app, {
    access,
    viewerUrl: () => urlOf(doors?.tcp() ?? CLOSED),
    memory: readiness.need,
    failure: readiness.failure,
    readHook,
    counters,
    findProject,
    live,
    hub,
    health,
    clock,
    log,
    logsDir: paths.logsDir,
    spoolDir: paths.spoolDir,
    backupsDir: paths.backupsDir,
    spool,
    onQueueChanged: () => readiness.memory()?.feed.queueChanged(),
    stop: () => stop.abort(),
    yieldToNewer,
    version,
    pid,
  });
  await app.ready();
  teardown.add('application', () => app.close());
  teardown.add('viewer', () => viewer.close());
  signal.throwIfAborted();

  doors = await openDoors({
    choice: chooseSocket(paths, { userId: options.userId }),
    settings,
    access,
    handler: (request, response) =>
      viewer.isFor(request) ? viewer.answer(request, response) : app.routing(request, response),
    onTcpChanged: writeOwnState,
    clock,
    log,
    signal,
  });
  const opened = doors;
  teardown.add('doors', () => opened.close({ graceMs: 0 }));
  if (!options.isLocked && opened.isSocketTaken) return 'already-running';
  const closeDoors = async () => {
    readiness.stopping();
    hub.close();
    await opened.close({ graceMs: GRACE_MS });
  };
  teardown.add('traces', () => removeTraces(paths));
  teardown.add('open requests', closeDoors);
  writeOwnState();

  // without the file nobody knows which projects are excluded: events wait in the spool until it is repaired
  while (!live.loaded().isFileUsable) {
    readiness.failed(live.loaded().problems.join(' '));
    await clock.sleep(TICK_MS, { signal });
    live.refresh();
  }
  const memory = await openWithPatience({
    open: () =>
      openWorkerMemory({
        paths,
        live,
        findProject,
        git,
        home: options.home,
        providers: options.providers,
        hub,
        lastEventAt: () => lastEventAt,
        onCaptured: () => void (lastEventAt = clock.now()),
        clock,
        log,
        signal,
      }),
    onFailure: (reason, isPassing) => (isPassing ? readiness.starting(reason) : readiness.failed(reason)),
    clock,
    log,
    signal,
  });
  teardown.add('database', () => memory.storage.close());
  teardown.add('search', () => memory.searching.close());
  readiness.open(memory);
  await spool.drain();
  signal.throwIfAborted();
  readiness.ready();
  releaseStartupLock(paths);
  rememberOwnPrograms(options);
  log.info({ ms: clock.now() - startedAt }, 'Worker ready');

  const work = [
    memory.observer.run(),
    memory.searching.run(),
    memory.contextFiles.run(),
    memory.forgetBin.run(),
    memory.freshness.run(),
    spool.watch({ signal }),
    syncFailureMarker({ paths, live, log, signal }),
    keepNewerPrograms({ programs: options.programs, version, dataDir: paths.dataDir, log }),
    runUpkeep({
      storage: memory.storage,
      spool,
      dayFile,
      lastEventAt: () => lastEventAt,
      clock,
      log,
      signal,
    }),
    tick({ clock, signal }, () => {
      live.refresh();
      hub.beat();
      if (!options.isLocked || inodeOf(paths.lockFile) === ownLock) return;
      log.warn({}, 'The data directory was removed or replaced; this worker ends');
      options.abandon();
    }),
  ];
  teardown.add('work', async () => {
    await Promise.all([closeDoors(), ...work]);
    await Promise.all([memory.commit.settled(), memory.relocation.idle()]);
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return 'ended';
}

/** Whoever needs it finds the programs in another way, or says that they are missing. */
function rememberOwnPrograms({ programs, live, log }: RunWorkerOptions): void {
  try {
    if (programs) rememberPrograms(live.loaded().paths, programs);
  } catch (error) {
    log.warn({ error }, 'The places of the programs cannot be written down');
  }
}

const CLOSED = { host: '', port: 0, isListening: false, problem: null };

async function tick(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  work: () => void,
): Promise<void> {
  while (!signal.aborted) {
    work();
    await clock.sleep(TICK_MS, { signal }).catch((reason: unknown) => {
      if (!signal.aborted) throw reason;
    });
  }
}

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;
