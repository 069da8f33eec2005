import type { PendingMessage } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';

/**
 * What a failure means for its batch. `hold-back`: all of it waits, and everything else too. `hold-session`: all of it
 * waits, and what else the session has. `split`: again, in smaller parts. `retry`: the same again, one attempt poorer. `park`:
 * that was its last.
 */
export type Settlement = 'hold-back' | 'hold-session' | 'split' | 'retry' | 'park';

export function settlementOf(
  messages: readonly Pick<PendingMessage, 'attempts'>[],
  failure: QueueFailure,
  maxAttempts: number,
): Settlement {
  if (failure.scope === 'provider') return 'hold-back';
  if (failure.scope === 'session') return 'hold-session';
  if (failure.scope === 'message' && messages.length > 1) return 'split';
  const attempts = (messages[0]?.attempts ?? 0) + 1;
  return !failure.retryable || attempts >= maxAttempts ? 'park' : 'retry';
}

/** A `retryAfterMs` of 0 says nothing about when: obeyed, it would be a loop without a pause. */
export function waitMs({ retryAfterMs }: QueueFailure, defaultMs: number): number {
  return retryAfterMs !== undefined && retryAfterMs > 0 ? retryAfterMs : defaultMs;
}
