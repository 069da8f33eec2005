import { pause, type Clock } from '@claude-mem/core';

/** An in-memory event with a number: who looked at `count` before checking cannot miss what came since. */
export interface Waker {
  readonly count: number;
  wake(): void;
  /** Resolves once `count` is no longer `seen`, at the time `until`, or when aborted; whichever is first. Never rejects. */
  wait(options: { seen: number; until: number; signal: AbortSignal }): Promise<void>;
}

/** Waits through every wake, so that a failing neighbour is not asked more often for being notified. */
export function pauseThroughWakes(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return pause(clock, Math.min(ms, LONGEST_SLEEP_MS), signal);
}

/** Node's timers turn a longer wait into none. */
const LONGEST_SLEEP_MS = 24 * 60 * 60_000;

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
            .sleep(Math.min(until - clock.now(), LONGEST_SLEEP_MS), { signal: timer.signal })
            .then(finish, finish);
      });
      timer.abort();
    },
  };
}
