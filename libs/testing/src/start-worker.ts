import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { waitFor } from './poll.js';
import type { Environment, TempHome } from './temp-home.js';
import { requestWorker, type RequestOptions, type WorkerAnswer } from './worker-request.js';
import { workspacePaths } from './workspace-paths.js';

/** Response of `GET /health`, with the fields that tests use. */
export interface WorkerHealth {
  status: 'ok' | 'degraded' | 'starting' | 'failed';
  live: boolean;
  ready: boolean;
  reason?: string;
  version: string;
  pid: number;
  uptimeMs: number;
  queue: { pending: number; processing: number; parked: number; orphans: number };
  notices: readonly string[];
  [more: string]: unknown;
}

export interface WorkerProcess extends AsyncDisposable {
  pid: number;
  request(options: RequestOptions): Promise<WorkerAnswer>;
  health(): Promise<WorkerHealth>;
  /** Returns the complete output of the process so far. */
  output(): { stdout: string; stderr: string };
  /** Sends the signal. Resolves with the exit code or the name of the signal when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<number | string>;
  /** Resolves with the exit code or the name of the signal when the process has ended. */
  exited: Promise<number | string>;
}

export interface StartWorkerOptions {
  env?: Environment;
  /** State to wait for before the worker is returned. @default 'ready' */
  until?: 'ready' | 'live' | 'spawned';
  /** @default 50000 */
  deadlineMs?: number;
  /** Path of the bundled worker. @default the build of the workspace */
  main?: string;
  cwd?: string;
}

/** Starts a worker as a separate process. Disposal ends the process and waits for its end. */
export async function startWorker(home: TempHome, options: StartWorkerOptions = {}): Promise<WorkerProcess> {
  const { until = 'ready', deadlineMs = 50_000 } = options;
  const child = spawn(process.execPath, workerArguments(options.main), {
    cwd: options.cwd ?? home.root,
    env: { ...home.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
  let ended: number | string | undefined;
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve((ended = code ?? signal ?? 'gone')));
  });
  const health = () => readHealth(home);
  const kill = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  const worker: WorkerProcess = {
    pid: child.pid ?? -1,
    request: (request) => requestWorker(home, request),
    health,
    output: () => printed,
    kill,
    exited,
    async [Symbol.asyncDispose]() {
      if (ended !== undefined) return;
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await kill();
      clearTimeout(force);
    },
  };
  if (until === 'spawned') return worker;
  await waitFor(
    async () => {
      if (ended !== undefined) return true;
      const state = await health();
      return state.pid === child.pid && (until === 'live' || state.ready);
    },
    { what: `the worker to be ${until}`, deadlineMs },
  ).catch(async (error: unknown) => {
    await kill('SIGKILL');
    throw new Error(`the worker is not ${until}; it printed: ${printed.stdout}${printed.stderr}`, {
      cause: error,
    });
  });
  if (ended !== undefined)
    throw new Error(`the worker ended with ${ended}: ${printed.stdout}${printed.stderr}`);
  return worker;
}

/** Returns the health report of the worker of this home. Rejects when no worker answers. */
export async function readHealth(home: { dataDir: string }): Promise<WorkerHealth> {
  const answer = await requestWorker(home, { path: '/health', timeoutMs: 5_000 });
  return answer.json as WorkerHealth;
}

/**
 * Returns the process id from worker.json if that process is running, otherwise null. The test need not have started
 * the worker.
 */
export function runningWorkerPid(home: { dataDir: string }): number | null {
  const file = path.join(home.dataDir, 'worker.json');
  if (!existsSync(file)) return null;
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
  return isProcessAlive(pid) ? pid : null;
}

/**
 * Sends a signal to the worker of this home and waits until its process has ended. The test need not have started the
 * worker.
 */
export async function stopWorker(
  home: { dataDir: string },
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  const pid = runningWorkerPid(home);
  if (pid === null) return;
  process.kill(pid, signal);
  await waitFor(() => !isProcessAlive(pid), { what: `worker ${pid} to end after ${signal}` });
}

function workerArguments(main = workspacePaths.workerMain): readonly string[] {
  if (existsSync(main)) return ['--max-semi-space-size=4', '--v8-pool-size=1', main];
  const source = path.join(workspacePaths.root, 'apps', 'worker', 'src', 'main.ts');
  return ['--import', 'tsx', '--conditions=@claude-mem/source', source];
}
