import type { Clock } from '../clock.js';

/** A clock that stands still until it is advanced. Delays end in chronological order. */
export interface FixedClock extends Clock {
  /** Advances the time and runs everything that becomes due. */
  advance(ms: number): Promise<void>;
}

/** @param start epoch milliseconds */
export function createFixedClock(start = Date.UTC(2026, 0, 1)): FixedClock {
  let now = start;
  const sleepers = new Set<{ dueAt: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const sleeper = { dueAt: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...sleepers].filter(({ dueAt }) => dueAt <= end).sort((a, b) => a.dueAt - b.dueAt)[0];
        if (!due) break;
        now = Math.max(now, due.dueAt);
        sleepers.delete(due);
        due.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
