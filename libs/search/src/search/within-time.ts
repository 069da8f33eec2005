import type { Clock } from '@claude-mem/core';

/**
 * The value, or null when it takes longer; the work itself goes on. The process stays alive while it waits.
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
    // with a reason: without one an error with its stack is made for every query
    waiting.abort(null);
  }
}
