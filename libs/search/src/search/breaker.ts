import { messageOf, type Clock, type Logger } from '@claude-mem/core';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Work that is running at one time; more is not begun. */
const MAX_RUNNING = 8;

/** Stands before something that may fail or hang: what failed is left alone for a growing while, then asked again. */
export interface Breaker {
  /** Why it is not asked now; null when it is. */
  problem(): string | null;
  run<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  close(): void;
}

export function createBreaker(parts: {
  name: string;
  clock: Clock;
  logger: Logger;
  /** Work that takes longer is aborted and counts as failed. */
  timeoutMs: number;
}): Breaker {
  const { name, clock, logger, timeoutMs } = parts;
  const ending = new AbortController();
  let running = 0;
  let failure: { message: string; retryAt: number; delay: number } | null = null;

  return {
    problem: () => {
      if (failure && clock.now() < failure.retryAt) return failure.message;
      return running >= MAX_RUNNING ? 'it is busy' : null;
    },
    run: async (work) => {
      running += 1;
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]);
      const begunAt = clock.now();
      try {
        const value = await rejectOnAbort(work(signal), signal);
        failure = null;
        return value;
      } catch (error) {
        // Of several that fail together only the first makes the pause longer.
        const isNew = failure === null || begunAt >= failure.retryAt;
        if (isNew && !ending.signal.aborted) {
          const delay = Math.min(failure ? failure.delay * 2 : FIRST_DELAY_MS, MAX_DELAY_MS);
          failure = { message: messageOf(error), retryAt: clock.now() + delay, delay };
          logger.warn({ reason: failure.message, delay }, `the ${name} failed`);
        }
        throw error;
      } finally {
        running -= 1;
      }
    },
    close: () => ending.abort(),
  };
}

/** Also ends waiting for work that does not listen to its signal. */
function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
