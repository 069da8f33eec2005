import type { PendingMessage } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';

/**
 * The handling of a failed batch.
 * `pause-queue`: the batch is released and the queue pauses.
 * `pause-session`: the batch is released and its session pauses.
 * `split`: the batch is retried in smaller parts.
 * `retry`: the batch is retried and counts an attempt.
 * `park`: the batch is parked after its last attempt.
 */
export type Settlement = 'pause-queue' | 'pause-session' | 'split' | 'retry' | 'park';

export function chooseSettlement(
  messages: readonly Pick<PendingMessage, 'attempts'>[],
  failure: QueueFailure,
  maxAttempts: number,
): Settlement {
  if (failure.scope === 'provider') return 'pause-queue';
  if (failure.scope === 'session') return 'pause-session';
  if (failure.scope === 'message' && messages.length > 1) return 'split';
  const attempts = (messages[0]?.attempts ?? 0) + 1;
  return !failure.retryable || attempts >= maxAttempts ? 'park' : 'retry';
}

/** A `retryAfterMs` of 0 contains no time. Using it would cause a loop without a pause. */
export function getWaitMs({ retryAfterMs }: QueueFailure, defaultMs: number): number {
  return retryAfterMs !== undefined && retryAfterMs > 0 ? retryAfterMs : defaultMs;
}
