import type { Clock } from '@claude-mem/core';

/**
 * Returns the value, or null after the time limit; the work itself continues. The process stays alive while it waits.
 * @throws the reason of the signal
 */
export async function withinTime<Value>(
  work: Promise<Value>,
  request: { ms: number; clock: Clock; signal?: AbortSignal },
): Promise<Value | null> {
  const waiting = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, waiting.signal]) : waiting.signal;
  const keepAlive = setInterval(() => undefined, 60_000);
  try {
    return await Promise.race([work, request.clock.sleep(request.ms, { signal }).then(() => null)]);
  } finally {
    clearInterval(keepAlive);
    // With a reason, because otherwise an error with a stack trace is created for every query.
    waiting.abort(null);
  }
}
