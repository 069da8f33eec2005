import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { messageOf, truncate, type Clock, type Logger } from '@claude-mem/core';
import { SearchError } from '../../search-error.js';
import { findBindings } from './find-bindings.js';
import { CANNOT_LOAD, LAUNCHER_SCRIPT } from './launcher-script.js';
import { isRunning, stampOf } from './process-stamp.js';
import { takeServerLock, type ServerLock } from './server-lock.js';

export interface ManagedChromaOptions {
  /** Folder for the files of the server. */
  dataDir: string;
  /** @default a free port */
  port?: number;
  /** Path of the server binary. @default the one installed with the package `chromadb` */
  bindings?: string;
}

/** A server on this machine, reachable only from this machine. All processes share one server per folder. */
export interface ManagedServer extends AsyncDisposable {
  /**
   * Returns the address of the server, and waits while it starts.
   * @throws SearchError `search/vector-index-unavailable`
   */
  address(): Promise<string>;
  /** Stops the server if this process started it. */
  close(): Promise<void>;
}

/**
 * Starts the server, or uses the one that another process runs in the same folder. It is restarted after a crash with
 * a growing delay, and stops whenever this process exits.
 */
export function startManagedServer(
  options: ManagedChromaOptions,
  { logger, clock }: { logger: Logger; clock: Clock },
): ManagedServer {
  const folder = path.resolve(options.dataDir);
  const closing = new AbortController();
  let attempts = 0;
  let running: Promise<RunningServer> | null = null;

  const begin = (): Promise<RunningServer> => {
    const beginning = startOrJoin(options, folder, clock, closing.signal);
    running = beginning;
    beginning.then(
      (server) => {
        logger.info({ port: server.port, own: server.child !== null }, 'the Chroma server is ready');
        const startedAt = clock.now();
        server.child?.once('exit', (code, signal) => {
          if (closing.signal.aborted) return;
          logger.warn({ code, signal }, 'the Chroma server has ended and is started again');
          server.release();
          if (clock.now() - startedAt > STEADY_MS) attempts = 0;
          startAgain(beginning);
        });
      },
      (error: unknown) => {
        if (closing.signal.aborted) return;
        logger.warn({ reason: messageOf(error) }, 'the Chroma server does not start');
        if (isWorthRetrying(error)) startAgain(beginning);
      },
    );
    return beginning;
  };
  const startAgain = (ended: Promise<RunningServer>) => {
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts);
    attempts += 1;
    void clock.sleep(delay, { signal: closing.signal }).then(
      () => {
        if (running === ended) begin();
      },
      () => {},
    );
  };
  const close = async () => {
    if (closing.signal.aborted) return;
    closing.abort(new SearchError('search/closed', 'the Chroma server is closed'));
    const server = await running?.catch(() => null);
    if (server?.child) await end(server.child, clock);
    server?.release();
  };
  begin();

  return {
    async address() {
      closing.signal.throwIfAborted();
      const current = running!;
      const server = await current;
      if (server.isUp()) return addressOf(server);
      if (server.child !== null)
        throw unavailable('the Chroma server has ended and is started again in a moment');
      if (running === current) begin();
      return addressOf(await running!);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;
/** A server that ran for this time did not fail at its start. */
const STEADY_MS = 60_000;
const START_LIMIT_MS = 20_000;
const PORTS_TO_TRY = 3;

interface RunningServer {
  port: number;
  /** Null when another process runs the server. */
  child: ChildProcess | null;
  isUp(): boolean;
  release(): void;
}

const addressOf = ({ port }: RunningServer) => `http://127.0.0.1:${port}`;

async function startOrJoin(
  options: ManagedChromaOptions,
  folder: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<RunningServer> {
  const bindings = options.bindings ?? findBindings();
  const deadline = clock.now() + START_LIMIT_MS;
  for (;;) {
    const lock = takeServerLock(folder);
    if (lock.kind === 'ours')
      try {
        return await startOwn({ ...options, bindings }, folder, lock, clock, signal);
      } catch (error) {
        lock.release();
        throw error;
      }
    const server = lock.content?.server ?? null;
    if (server !== null && (await answers(server.port)))
      return { port: server.port, child: null, isUp: () => isRunning(server), release: () => {} };
    if (clock.now() > deadline)
      throw unavailable('another process holds the Chroma server of this folder, and it does not answer');
    await clock.sleep(POLL_MS, { signal });
  }
}

async function startOwn(
  options: ManagedChromaOptions & { bindings: string },
  folder: string,
  lock: Extract<ServerLock, { kind: 'ours' }>,
  clock: Clock,
  signal: AbortSignal,
): Promise<RunningServer> {
  for (let round = 1; ; round += 1) {
    const port = await listenBriefly(options.port ?? 0);
    if (port === null) throw portTaken(options.port);
    const log = path.join(folder, 'server.log');
    const child = launch({ bindings: options.bindings, folder, port, log });
    const stamp = child.pid === undefined ? null : stampOf(child.pid);
    if (stamp !== null) lock.writeServer({ ...stamp, port });
    try {
      await untilReady(child, port, log, clock, signal);
      return {
        port,
        child,
        isUp: () => child.exitCode === null && child.signalCode === null,
        release: () => lock.release(),
      };
    } catch (error) {
      await end(child, clock);
      const isTaken = SearchError.isInstance(error) && error.data['reason'] === 'port-taken';
      if (!isTaken || options.port !== undefined || round === PORTS_TO_TRY) throw error;
    }
  }
}

/**
 * The server runs in an empty folder without our environment, so that it does not read files and variables of a
 * project.
 */
function launch(request: { bindings: string; folder: string; port: number; log: string }): ChildProcess {
  const { bindings, folder, port } = request;
  const neutral = path.join(folder, 'run');
  const data = path.join(folder, 'data');
  for (const made of [neutral, data]) mkdirSync(made, { recursive: true, mode: 0o700 });
  const log = openSync(request.log, 'w', 0o600);
  try {
    const server = ['run', '--path', data, '--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(
      process.execPath,
      ['-e', LAUNCHER_SCRIPT, '--', String(process.pid), bindings, ...server],
      {
        cwd: neutral,
        env: { HOME: neutral, USERPROFILE: neutral },
        stdio: ['ignore', log, log],
        windowsHide: true,
      },
    );
    child.on('error', () => {});
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

async function untilReady(
  child: ChildProcess,
  port: number,
  log: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const deadline = clock.now() + START_LIMIT_MS;
  let answeredAt: number | null = null;
  for (;;) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      throw startFailure(child, readLog(log), port);
    if (answeredAt === null && (await answers(port))) answeredAt = clock.now();
    // Another program on the port may answer too, until our server reports that the port is in use.
    if (answeredAt !== null && (readLog(log).includes('Listening on') || clock.now() - answeredAt > 500)) {
      if (child.exitCode === null) return;
      continue;
    }
    if (clock.now() > deadline) throw unavailable('the Chroma server does not answer after its start');
    await clock.sleep(POLL_MS, { signal });
  }
}

const POLL_MS = 50;

function startFailure(child: ChildProcess, log: string, port: number): SearchError {
  if (/is not available|in use/i.test(log)) return portTaken(port);
  if (child.exitCode === CANNOT_LOAD) {
    const isOldLibrary = /GLIBC/.test(log);
    return unavailable(
      isOldLibrary
        ? 'the Chroma server does not run on this machine: its C library is too old (GLIBC 2.39 is needed); give the address of a server elsewhere (CLAUDE_MEM_CHROMA_URL) or set CLAUDE_MEM_VECTOR_INDEX to flat'
        : `the Chroma server cannot be loaded: ${truncate(log.trim(), 300)}`,
      { reason: 'cannot-load' },
    );
  }
  return unavailable(`the Chroma server ended at its start: ${truncate(log.trim().slice(-300), 300)}`);
}

function portTaken(port: number | undefined): SearchError {
  return unavailable(`port ${port} is taken, so the Chroma server cannot start`, { reason: 'port-taken' });
}

function isWorthRetrying(error: unknown): boolean {
  return !SearchError.isInstance(error) || error.data['reason'] !== 'cannot-load';
}

function unavailable(message: string, data: Readonly<Record<string, unknown>> = {}): SearchError {
  return new SearchError('search/vector-index-unavailable', message, { data });
}

function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(-4000);
  } catch {
    return '';
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v2/heartbeat`, {
      signal: AbortSignal.timeout(1000),
      redirect: 'error',
    });
    return (await reply.text()).includes('nanosecond heartbeat');
  } catch {
    return false;
  }
}

/**
 * Versions of the server differ in the signal that stops them. Version 0.1.3 of the bindings hangs after SIGINT and
 * uses a full core.
 */
async function end(child: ChildProcess, clock: Clock): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = once(child, 'exit');
    child.kill(signal);
    await Promise.race([ended, clock.sleep(END_LIMIT_MS)]);
  }
}

const END_LIMIT_MS = 1500;

/**
 * Checks that no other program listens on the port, because it could answer before the server fails.
 * @param port 0 chooses a free port
 * @returns the port, or null when it cannot be opened
 */
async function listenBriefly(port: number): Promise<number | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : null;
}
