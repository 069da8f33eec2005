import { ClaudeMemError } from '@claude-mem/core';

/**
 * `observer/paused`: no provider is available now. `observer/session-paused`: the session has used up its budget.
 */
export type ObserverErrorCode = 'observer/paused' | 'observer/session-paused';

/** Error of this package. It is used only internally and pauses the queue. */
export class ObserverError extends ClaudeMemError<ObserverErrorCode> {}
