import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClaudeMemError } from '@claude-mem/core';
import type { ErrorReply } from '@claude-mem/worker-protocol';
import type { WorkerErrorCode } from '../worker-error.js';

type OtherCode =
  | 'capture/busy'
  | 'storage/bad-cursor'
  | 'storage/busy'
  | 'storage/closed'
  | 'storage/refused'
  | 'storage/unknown-record'
  | 'storage/changed-meanwhile'
  | 'search/bad-request'
  | 'search/closed'
  | 'search/no-memory'
  | 'settings/broken-file'
  | 'settings/foreign-file'
  | 'settings/invalid-value';

const STATUS: Record<WorkerErrorCode | OtherCode, number> = {
  'capture/busy': 503,
  'storage/bad-cursor': 400,
  'search/bad-request': 400,
  'settings/invalid-value': 400,
  'settings/broken-file': 409,
  'settings/foreign-file': 409,
  'storage/busy': 503,
  'storage/closed': 503,
  'storage/refused': 409,
  'storage/unknown-record': 404,
  'storage/changed-meanwhile': 409,
  'search/closed': 503,
  'search/no-memory': 503,
  'worker/bad-request': 400,
  'worker/unauthorized': 401,
  'worker/forbidden': 403,
  'worker/not-settable': 403,
  'worker/not-found': 404,
  'worker/too-large': 413,
  'worker/unsupported-type': 415,
  'worker/internal': 500,
  'worker/data-dir-unusable': 500,
  'worker/not-ready': 503,
  'worker/stopping': 503,
  'worker/busy': 503,
  'worker/no-address': 503,
};

export interface HttpError {
  status: number;
  reply: ErrorReply;
  /** Seconds. */
  retryAfter?: number;
}

/** Converts an error to a status and a body. Messages of unexpected errors are only logged. */
export function toHttpError(error: unknown): HttpError {
  if (ClaudeMemError.isInstance(error)) {
    const status = STATUS[error.code as WorkerErrorCode] ?? 500;
    const details = Object.keys(error.data).length > 0 ? { details: error.data } : {};
    const reply = { error: { code: error.code, message: error.message, ...details } };
    return status === 503 ? { status, reply, retryAfter: 1 } : { status, reply };
  }
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) return plain(413, 'worker/too-large', 'The body is too large.');
  if (statusCode === 415) return plain(415, 'worker/unsupported-type', 'Send the body as application/json.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return plain(statusCode, 'worker/bad-request', badRequestText(code));
  return plain(500, 'worker/internal', 'Something went wrong in the worker; its log says what.');
}

function badRequestText(code: string | undefined): string {
  if (code === 'FST_ERR_BAD_URL') return 'The address cannot be read.';
  return code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
    ? 'The body is empty.'
    : 'The body is not the JSON asked for.';
}

function plain(status: number, code: WorkerErrorCode, message: string): HttpError {
  return { status, reply: { error: { code, message } } };
}

/** Maximum bytes of a rejected body that are read, so that the client receives the response. */
const DRAIN_BYTES = 80 * 1024 * 1024;
const DRAIN_MS = 2_000;

/** Responds to a rejected request outside of any route, and closes its connection. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, reply, retryAfter } = toHttpError(error);
  const body = JSON.stringify(reply);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(body);
  let drained = 0;
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_BYTES) request.destroy();
  });
  request.on('error', () => request.destroy());
  request.on('close', () => clearTimeout(timer));
}
