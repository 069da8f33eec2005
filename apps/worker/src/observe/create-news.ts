import { pause, type Clock } from '@claude-mem/core';

/** Says that something happened to whoever waits for it. */
export interface News {
  tell(): void;
  /** Resolves at the next news since the last call, at `until`, or when aborted. */
  next(options: { clock: Clock; until: number | null; signal: AbortSignal }): Promise<void>;
}

export function createNews(): News {
  let told = 0;
  let seen = 0;
  let wake = () => {};
  return {
    tell() {
      told += 1;
      wake();
    },
    async next({ clock, until, signal }) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      wake = () => stop.abort();
      if (told > seen) wake();
      seen = told;
      const ms = until === null ? LONG_MS : Math.max(0, until - clock.now());
      await pause(clock, Math.min(ms, LONG_MS), either);
    },
  };
}

/** Timers end early beyond 24 days. */
const LONG_MS = 24 * 60 * 60_000;
