import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import type { QueueSettings } from './queue-options.js';
import { waitMs } from './settlement-of.js';

/** Pauses single sessions, for example when one has reached a limit. The pauses end with the process. */
export interface SessionPauses {
  /** Number of paused sessions. */
  readonly count: number;
  /** The failure behind the newest pause; null when no session is paused. */
  readonly reason: string | null;
  /** Epoch until which no batch of the session starts; `-Infinity` when the session is not paused. */
  until(sessionId: number): number;
  failed(sessionId: number, failure: QueueFailure): void;
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
    failed(sessionId, failure) {
      current().delete(sessionId);
      pauses.set(sessionId, {
        until: clock.now() + waitMs(failure, settings.pauseMs),
        reason: failure.message,
      });
    },
    clear: () => pauses.clear(),
  };
}
