import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import { getWaitMs } from './choose-settlement.js';
import type { QueueSettings } from './queue-options.js';

/** Pauses the queue while the provider or the storage fails. */
export interface QueuePause {
  /** Time until which no batch starts, in epoch milliseconds. `-Infinity` when the queue is not paused. */
  readonly until: number;
  readonly reason: string | null;
  /** True after a failure until the next success. Only one batch runs at a time. */
  readonly isProbing: boolean;
  recordFailure(failure: QueueFailure): void;
  /** Pauses the queue when several messages in a row are parked, because then the provider can be the cause. */
  recordParked(failure: QueueFailure): void;
  recordSuccess(): void;
  clear(): void;
}

const MAX_PARKED_IN_A_ROW = 3;

export function createQueuePause(
  clock: Clock,
  settings: Pick<QueueSettings, 'backoffMs' | 'pauseMs'>,
): QueuePause {
  let until = -Infinity;
  let reason: string | null = null;
  let failures = 0;
  let parkedInARow = 0;

  const pauseFor = (failure: QueueFailure, defaultMs: number) => {
    // The backoff increases when a provider repeatedly requests a short time.
    const minMs = failure.retryable ? defaultMs : 0;
    until = Math.max(until, clock.now() + Math.max(minMs, getWaitMs(failure, defaultMs)));
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
    recordFailure(failure) {
      // Batches that run when the pause begins also fail. Together they count as one failure.
      if (until <= clock.now()) failures += 1;
      pauseFor(failure, failure.retryable ? settings.backoffMs(failures) : settings.pauseMs);
    },
    recordParked(failure) {
      parkedInARow += 1;
      if (parkedInARow >= MAX_PARKED_IN_A_ROW) pauseFor(failure, settings.backoffMs(parkedInARow));
    },
    recordSuccess() {
      failures = 0;
      parkedInARow = 0;
    },
    clear() {
      until = -Infinity;
      failures = 0;
      parkedInARow = 0;
    },
  };
}
