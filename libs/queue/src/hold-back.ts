import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import { waitMs } from './settlement-of.js';
import type { QueueSettings } from './queue-options.js';

/** Stops the whole queue while the provider, or what is behind it, fails. */
export interface HoldBack {
  /** Epoch until which nothing starts; `-Infinity` when nothing is held back. */
  readonly until: number;
  readonly reason: string | null;
  /** True after a failure until the next success: one batch at a time tries whether it works again. */
  readonly isProbing: boolean;
  failed(failure: QueueFailure): void;
  /** Messages parked one after the other, with no success between them, are no longer taken for the messages' fault. */
  parked(failure: QueueFailure): void;
  succeeded(): void;
  clear(): void;
}

const PARKED_IN_A_ROW = 3;

export function createHoldBack(
  clock: Clock,
  settings: Pick<QueueSettings, 'backoffMs' | 'pauseMs'>,
): HoldBack {
  let until = -Infinity;
  let reason: string | null = null;
  let failures = 0;
  let parks = 0;

  const hold = (failure: QueueFailure, defaultMs: number) => {
    // who says "in a moment" for an hour is asked ever more seldom
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
      // Batches that were under way when it began fail too; together they are one failure.
      if (until <= clock.now()) failures += 1;
      hold(failure, failure.retryable ? settings.backoffMs(failures) : settings.pauseMs);
    },
    parked(failure) {
      parks += 1;
      if (parks >= PARKED_IN_A_ROW) hold(failure, settings.backoffMs(parks));
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
