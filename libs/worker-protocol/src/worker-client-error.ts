import { ClaudeMemError } from '@claude-mem/core';

export type WorkerClientErrorCode =
  /** No worker of this data folder answers. Created by the link in `local`. */
  | 'worker-client/away'
  /** The worker answered with an error, which `data.status` and `data.workerCode` contain. */
  | 'worker-client/refused'
  /** The worker is starting or failed to start. A retry can succeed. */
  | 'worker-client/not-ready'
  /** The answer is not from a claude-mem worker. */
  | 'worker-client/bad-reply';

/** Thrown by a worker client when the worker refuses a request. Connection errors come from `request` itself. */
export class WorkerClientError extends ClaudeMemError<WorkerClientErrorCode> {}
