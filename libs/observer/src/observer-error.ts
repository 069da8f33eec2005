import { ClaudeMemError } from '@claude-mem/core';

/**
 * `observer/paused`: no provider is available now. `observer/session-paused`: the session has used up its budget.
 */
export type ObserverErrorCode = 'observer/paused' | 'observer/session-paused';

/** Error of this package. It never leaves the package: the queue pauses because of it. */
export class ObserverError extends ClaudeMemError<ObserverErrorCode> {}
