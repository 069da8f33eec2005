import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalProvider } from '@claude-mem/local-observer';
import type { Clock } from '@claude-mem/core';
import { dataPaths, loadSettings, type DataPaths } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import type { Health } from '@claude-mem/worker-protocol';
import type { ProviderTable } from '@claude-mem/observer';
import { startWorker } from '../start-worker.js';

export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: unknown;
}

export interface TestRequest {
  method?: string;
  path: string;
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A separate home below the temporary folder. */
export interface TestHome extends Disposable {
  root: string;
  home: string;
  project: string;
  paths: DataPaths;
}

export function createTestHome({ dataDir = '.claude-mem' }: { dataDir?: string } = {}): TestHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-worker-')));
  const home = join(root, 'home');
  const project = join(home, 'work', 'demo');
  mkdirSync(project, { recursive: true });
  return {
    root,
    home,
    project,
    paths: dataPaths(join(home, dataDir)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface TestWorker extends AsyncDisposable {
  home: TestHome;
  /** Over the unix socket. */
  ask(request: TestRequest): Promise<TestAnswer>;
  /** Over TCP, with exactly these headers. */
  askTcp(request: TestRequest): Promise<TestAnswer>;
  hook(event: string, payload: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  health(): Promise<Health>;
  port(): Promise<number>;
  /** Resolves when no message waits for the observer. */
  drained(): Promise<void>;
  stop(): Promise<void>;
  ended: Promise<'already-running' | 'ended'>;
}

export interface TestWorkerOptions {
  home?: TestHome;
  env?: Record<string, string>;
  settings?: Record<string, unknown>;
  providers?: ProviderTable;
  clock?: Clock;
  viewerDir?: string;
  /** False disables semantic search regardless of the settings file, because the embedding model loads slowly. @default false */
  hasEmbedder?: boolean;
  until?: 'ready' | 'live';
}

/** A complete worker in this process, with real sockets and a real database in a temporary home. */
export async function startTestWorker(options: TestWorkerOptions = {}): Promise<TestWorker> {
  const home = options.home ?? createTestHome();
  const { paths } = home;
  if (options.settings !== undefined) {
    mkdirSync(paths.dataDir, { recursive: true });
    writeFileSync(paths.settingsFile, JSON.stringify(options.settings));
  }
  const env = {
    CLAUDE_MEM_WORKER_PORT: '0',
    CLAUDE_MEM_DATA_DIR: paths.dataDir,
    ...(options.hasEmbedder !== true && { CLAUDE_MEM_EMBEDDER: 'none' }),
    ...options.env,
  };
  await createDatabase(paths);
  const stop = new AbortController();
  const ended = startWorker({
    loadSettings: () => loadSettings({ env, home: home.home }),
    home: home.home,
    tmpDir: tmpdir(),
    userId: process.getuid?.() ?? 0,
    pid: process.pid,
    version: '0.0.0-test',
    searchPath: process.env['PATH'] ?? '',
    providers: options.providers ?? { local: async () => createLocalProvider() },
    residentBytes: () => process.memoryUsage.rss(),
    abandon: () => stop.abort(),
    viewerDir: options.viewerDir ?? null,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    signal: stop.signal,
  });
  const socketPath = paths.socket;
  const ask = (request: TestRequest) => send({ socketPath }, request);
  const health = async () => (await ask({ path: '/health' })).json as Health;
  const port = async () => {
    const detail = (await ask({ path: '/api/health' })).json as { tcp: { port: number } };
    return detail.tcp.port;
  };
  const worker: TestWorker = {
    home,
    ask,
    askTcp: async (request) => send({ host: '127.0.0.1', port: await port() }, request),
    hook: (event, payload, headers = {}) =>
      ask({ method: 'POST', path: `/api/hooks/claude-code/${event}`, body: payload, headers }),
    health,
    port,
    drained: () =>
      until(async () => {
        const { queue } = await health();
        return queue !== null && queue.pending + queue.processing === 0;
      }),
    async stop() {
      stop.abort();
      await ended;
    },
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
      if (options.home === undefined) home[Symbol.dispose]();
    },
  };
  const failed = ended.then((how) => {
    throw new Error(`the worker ended at once: ${how}`);
  });
  failed.catch(() => undefined);
  await Promise.race([
    failed,
    until(async () => {
      const state = await health().catch(() => null);
      return state !== null && (options.until === 'live' || state.ready);
    }),
  ]);
  return worker;
}

let emptyDatabase: Promise<Buffer> | undefined;

/** Copies an empty database unless one exists. Creating the schema takes longer than the rest of a startup. */
async function createDatabase({ dataDir, database }: DataPaths): Promise<void> {
  emptyDatabase ??= readEmptyDatabase();
  const bytes = await emptyDatabase;
  if (existsSync(database)) return;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(database, bytes, { mode: 0o600 });
}

async function readEmptyDatabase(): Promise<Buffer> {
  using home = createTestHome();
  const { database: file, backupsDir } = home.paths;
  await (await openStorage({ file, backupsDir })).close();
  return readFileSync(file);
}

/** Checks the condition every 50 ms until it is true. Rejects after 50 s. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 50_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition was not met within 50 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** One request on a separate connection. */
export function send(
  target: { socketPath: string } | { host: string; port: number },
  { method = 'GET', path, body, headers = {} }: TestRequest,
): Promise<TestAnswer> {
  const bytes = body === undefined ? null : encode(body);
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        ...target,
        method,
        path,
        agent: false,
        headers: {
          ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: text.startsWith('{') ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    call.once('error', reject);
    call.end(bytes ?? undefined);
  });
}

function encode(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body), 'utf8');
}
