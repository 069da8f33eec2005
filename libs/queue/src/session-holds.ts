import type { Clock } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import type { QueueSettings } from './queue-options.js';
import { waitMs } from './settlement-of.js';

/** Sessions that wait by themselves while the others go on, such as for a limit of their own. Forgotten with the process. */
export interface SessionHolds {
  /** Sessions held at this moment. */
  readonly count: number;
  /** The newest failure behind them; null when none is held. */
  readonly reason: string | null;
  /** Epoch until which nothing of the session starts; `-Infinity` when it is not held. */
  until(sessionId: number): number;
  failed(sessionId: number, failure: QueueFailure): void;
  clear(): void;
}

export function createSessionHolds(clock: Clock, settings: Pick<QueueSettings, 'pauseMs'>): SessionHolds {
  const holds = new Map<number, { until: number; reason: string }>();
  const current = () => {
    for (const [sessionId, { until }] of holds) if (until <= clock.now()) holds.delete(sessionId);
    return holds;
  };
  return {
    get count() {
      return current().size;
    },
    get reason() {
      return [...current().values()].at(-1)?.reason ?? null;
    },
    until: (sessionId) => holds.get(sessionId)?.until ?? -Infinity,
    failed(sessionId, failure) {
      current().delete(sessionId);
      holds.set(sessionId, {
        until: clock.now() + waitMs(failure, settings.pauseMs),
        reason: failure.message,
      });
    },
    clear: () => holds.clear(),
  };
}
