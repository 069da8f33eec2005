/** The source of time. Delays use it too, so that tests need no real waiting. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Resolves after `ms`. Rejects with the reason of the signal when it aborts first. A pending delay does not keep
   * the process running.
   */
  sleep(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      (timer as { unref?: () => void }).unref?.();
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** Waits until the delay ends or the signal aborts. An abort is not an error. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, { signal }).catch((reason: unknown) => {
    if (!signal.aborted) throw reason;
  });
}
