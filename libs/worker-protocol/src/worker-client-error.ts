import { ClaudeMemError } from '@claude-mem/core';

export type WorkerClientErrorCode =
  /** Nobody answers where the worker of this data directory would be; from the link of `local`. */
  | 'worker-client/away'
  /** The worker answered with an error; `data.status` and `data.workerCode` say which. */
  | 'worker-client/refused'
  /** Starting, or failed to start; the message says which. Worth another try. */
  | 'worker-client/not-ready'
  /** Something answered that does not speak this protocol. */
  | 'worker-client/bad-reply';

/** Thrown by a worker client when the answer is not the one asked for. Failures to connect come from `request` itself. */
export class WorkerClientError extends ClaudeMemError<WorkerClientErrorCode> {}
