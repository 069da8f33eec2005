import { pause, type Clock } from '@claude-mem/core';

/** An in-memory event with a counter. A caller that reads `count` before its check misses no later event. */
export interface Waker {
  readonly count: number;
  wake(): void;
  /** Resolves when `count` differs from `seen`, at the time `until`, or on abort. Never rejects. */
  wait(options: { seen: number; until: number; signal: AbortSignal }): Promise<void>;
}

/** Waits without reacting to wakes, so that notifications cause no additional calls of a failing dependency. */
export function sleepIgnoringWakes(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return pause(clock, Math.min(ms, MAX_SLEEP_MS), signal);
}

/** A longer wait overflows the timers of Node.js, which then fire immediately. */
const MAX_SLEEP_MS = 24 * 60 * 60_000;

export function createWaker(clock: Clock): Waker {
  const waiting = new Set<() => void>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    wake() {
      count += 1;
      for (const resolve of waiting) resolve();
    },
    async wait({ seen, until, signal }) {
      if (count !== seen || signal.aborted || until <= clock.now()) return;
      const timer = new AbortController();
      await new Promise<void>((resolve) => {
        const finish = () => {
          waiting.delete(finish);
          signal.removeEventListener('abort', finish);
          resolve();
        };
        waiting.add(finish);
        signal.addEventListener('abort', finish, { once: true });
        if (until < Infinity)
          void clock
            .sleep(Math.min(until - clock.now(), MAX_SLEEP_MS), { signal: timer.signal })
            .then(finish, finish);
      });
      timer.abort();
    },
  };
}
