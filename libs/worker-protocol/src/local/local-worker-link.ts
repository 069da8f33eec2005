import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { WORKER_TOKEN_HEADER } from '../headers.js';
import { createWorkerClient, type WorkerClient, type WorkerRequest } from '../worker-client.js';
import { WorkerClientError } from '../worker-client-error.js';
import { hasOpenFile } from './has-open-file.js';
import { parseJson } from './parse-json.js';
import { readIfFile } from './read-if-file.js';
import { readWorkerState } from './worker-state.js';
import type { WorkerPlaces } from './worker-places.js';
import { socketOf } from './socket-of.js';

/** The connection to the worker of a data folder. It is opened by the first call. */
export interface WorkerLink {
  client: WorkerClient;
  /** Returns the same link with another timeout. */
  within(timeoutMs: number): WorkerClient;
}

const TIMEOUT_MS = 10_000;

export function createLocalWorkerLink(paths: WorkerPlaces): WorkerLink {
  const within = (timeoutMs: number) =>
    createWorkerClient({ request: (wanted) => send(paths, wanted, timeoutMs) });
  return { client: within(TIMEOUT_MS), within };
}

function send(
  paths: WorkerPlaces,
  { method, path, body }: Parameters<WorkerRequest>[0],
  timeoutMs: number,
): ReturnType<WorkerRequest> {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(away(cause));
    const call = request(
      {
        ...addressOf(paths, bytes),
        method,
        path,
        agent: false,
        timeout: timeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', fail);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parseJson(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    const silent = Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' });
    call.once('timeout', () => call.destroy(silent));
    call.once('error', fail);
    call.end(bytes ?? undefined);
  });
}

function addressOf(paths: WorkerPlaces, bytes: Buffer | null) {
  const headers = {
    host: 'localhost',
    ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
  };
  const socketPath = socketOf(paths);
  const port = existsSync(socketPath) ? null : portWithoutSocket(paths);
  if (port === null) return { socketPath, headers };
  const token = readIfFile(paths.tokenFile)?.trim() ?? '';
  const tcp = { ...headers, host: `127.0.0.1:${port}`, [WORKER_TOKEN_HEADER]: token };
  return { host: '127.0.0.1', port, headers: tcp };
}

/**
 * Without a usable unix socket, the worker listens only on its port. After the worker has exited, another user may
 * own the port.
 */
function portWithoutSocket(paths: WorkerPlaces): number | null {
  const state = readWorkerState(paths);
  const isUsable = state?.socket === null && existsSync(paths.tokenFile) && isOwnProcess(state.pid, paths);
  return isUsable ? state.port : null;
}

function isOwnProcess(pid: number, { lockFile }: WorkerPlaces): boolean {
  if (process.platform === 'linux') return hasOpenFile(pid, lockFile);
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // The process has exited or belongs to another user.
  }
}

function away(cause: Error): WorkerClientError {
  const isGone = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR', 'EACCES'].includes(
    (cause as NodeJS.ErrnoException).code ?? '',
  );
  const message = isGone
    ? 'The worker is not running. Start it with: claude-mem start'
    : `The worker does not answer (${cause.message}). See: claude-mem logs, claude-mem restart`;
  return new WorkerClientError('worker-client/away', message, { cause });
}
