import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import type { QueueSettings } from './queue-options.js';
import { getWaitMs } from './choose-settlement.js';

/** Pauses single sessions, for example when one has reached a limit. The pauses end with the process. */
export interface SessionPauses {
  /** Number of paused sessions. */
  readonly count: number;
  /** The failure that caused the newest pause, or null when no session is paused. */
  readonly reason: string | null;
  /**
   * Time until which no batch of the session starts, in epoch milliseconds. `-Infinity` when the session is not paused.
   */
  until(sessionId: number): number;
  recordFailure(sessionId: number, failure: QueueFailure): void;
  clear(): void;
}

export function createSessionPauses(clock: Clock, settings: Pick<QueueSettings, 'pauseMs'>): SessionPauses {
  const pauses = new Map<number, { until: number; reason: string }>();
  const current = () => {
    for (const [sessionId, { until }] of pauses) if (until <= clock.now()) pauses.delete(sessionId);
    return pauses;
  };
  return {
    get count() {
      return current().size;
    },
    get reason() {
      return [...current().values()].at(-1)?.reason ?? null;
    },
    until: (sessionId) => pauses.get(sessionId)?.until ?? -Infinity,
    recordFailure(sessionId, failure) {
      current().delete(sessionId);
      pauses.set(sessionId, {
        until: clock.now() + getWaitMs(failure, settings.pauseMs),
        reason: failure.message,
      });
    },
    clear: () => pauses.clear(),
  };
}
