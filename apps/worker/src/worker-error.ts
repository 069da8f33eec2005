import { ClaudeMemError } from '@claude-mem/core';

export type WorkerErrorCode =
  | 'worker/bad-request'
  | 'worker/not-found'
  | 'worker/unauthorized'
  | 'worker/forbidden'
  | 'worker/not-settable'
  | 'worker/too-large'
  | 'worker/unsupported-type'
  | 'worker/not-ready'
  | 'worker/stopping'
  | 'worker/busy'
  | 'worker/no-address'
  | 'worker/internal'
  | 'worker/data-dir-unusable';

/** Errors of the worker itself. Each code has one HTTP status, see http/error-reply.ts. */
export class WorkerError extends ClaudeMemError<WorkerErrorCode> {}
