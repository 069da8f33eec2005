import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import { waitMs } from './settlement-of.js';
import type { QueueSettings } from './queue-options.js';

/** Pauses the whole queue while the provider or the storage fails. */
export interface QueuePause {
  /** Epoch until which nothing starts; `-Infinity` when the queue is not paused. */
  readonly until: number;
  readonly reason: string | null;
  /** True after a failure until the next success. Only one batch runs at a time. */
  readonly isProbing: boolean;
  failed(failure: QueueFailure): void;
  /** Pauses the queue when several messages in a row are parked, because then the provider can be the cause. */
  parked(failure: QueueFailure): void;
  succeeded(): void;
  clear(): void;
}

const PARKED_IN_A_ROW = 3;

export function createQueuePause(
  clock: Clock,
  settings: Pick<QueueSettings, 'backoffMs' | 'pauseMs'>,
): QueuePause {
  let until = -Infinity;
  let reason: string | null = null;
  let failures = 0;
  let parks = 0;

  const pauseFor = (failure: QueueFailure, defaultMs: number) => {
    // the backoff grows when a provider names a short time again and again
    const leastMs = failure.retryable ? defaultMs : 0;
    until = Math.max(until, clock.now() + Math.max(leastMs, waitMs(failure, defaultMs)));
    reason = failure.message;
  };

  return {
    get until() {
      return until;
    },
    get reason() {
      return until > clock.now() ? reason : null;
    },
    get isProbing() {
      return failures > 0;
    },
    failed(failure) {
      // batches that run when the pause begins fail too; together they count as one failure
      if (until <= clock.now()) failures += 1;
      pauseFor(failure, failure.retryable ? settings.backoffMs(failures) : settings.pauseMs);
    },
    parked(failure) {
      parks += 1;
      if (parks >= PARKED_IN_A_ROW) pauseFor(failure, settings.backoffMs(parks));
    },
    succeeded() {
      failures = 0;
      parks = 0;
    },
    clear() {
      until = -Infinity;
      failures = 0;
      parks = 0;
    },
  };
}
