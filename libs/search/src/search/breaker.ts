import { messageOf, type Clock, type Logger } from '@claude-mem/core';
import { orAbort } from '../or-abort.js';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Maximum number of running calls. */
const MAX_RUNNING = 8;

/** A circuit breaker for calls that may fail or hang. After a failure, calls are rejected for a growing time. */
export interface Breaker {
  /** The reason why calls are rejected, or null. */
  problem(): string | null;
  run<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  close(): void;
}

export function createBreaker(parts: {
  name: string;
  clock: Clock;
  logger: Logger;
  /** A call that takes longer is aborted and counts as failed. */
  timeoutMs: number;
}): Breaker {
  const { name, clock, logger, timeoutMs } = parts;
  const running = new Set<AbortController>();
  let isClosed = false;
  let failure: { message: string; retryAt: number; delay: number } | null = null;

  return {
    problem: () => {
      if (failure && clock.now() < failure.retryAt) return failure.message;
      return running.size >= MAX_RUNNING ? 'it is busy' : null;
    },
    run: async (work) => {
      const ending = new AbortController();
      const { signal } = ending;
      running.add(ending);
      if (isClosed) ending.abort();
      const giveUp = () => ending.abort(new Error(`timeout: it took longer than ${timeoutMs} ms`));
      const timer = setTimeout(giveUp, timeoutMs).unref();
      const begunAt = clock.now();
      try {
        // Also stops waiting for a call that ignores its signal.
        const value = await orAbort(work(signal), signal);
        failure = null;
        return value;
      } catch (error) {
        // Of several simultaneous failures, only the first one extends the pause.
        const isNew = failure === null || begunAt >= failure.retryAt;
        if (isNew && !isClosed) {
          const delay = Math.min(failure ? failure.delay * 2 : FIRST_DELAY_MS, MAX_DELAY_MS);
          failure = { message: messageOf(error), retryAt: clock.now() + delay, delay };
          logger.warn({ reason: failure.message, delay }, `the ${name} failed`);
        }
        throw error;
      } finally {
        clearTimeout(timer);
        running.delete(ending);
      }
    },
    close: () => {
      isClosed = true;
      for (const ending of running) ending.abort();
    },
  };
}
