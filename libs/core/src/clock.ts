/** Where time comes from. Waiting goes through it too, so that tests need no sleep. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. Never keeps the process alive. */
  sleep(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
}

/** The machine's own time. */
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

/** Waits until the time is over or the signal aborts, whichever is first: an abort is no failure here. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, { signal }).catch((reason: unknown) => {
    if (!signal.aborted) throw reason;
  });
}
