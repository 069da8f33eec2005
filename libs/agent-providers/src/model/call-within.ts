import { systemClock, type Clock, type ProviderRow } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

export interface CallTimeouts {
  /** Milliseconds until the first byte of the answer. @default 120_000 */
  firstByteMs?: number;
  /** Milliseconds between two signs of activity. @default 60_000 */
  stallMs?: number;
  /** Milliseconds for the complete call. @default 180_000 */
  totalMs?: number;
}

export interface CallOptions {
  row: ProviderRow;
  /** The signal of the caller. Its reason is rethrown unchanged. */
  signal?: AbortSignal | undefined;
  timeouts?: CallTimeouts | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

export interface RunningCall {
  /** Aborts with the caller's signal, or when a time limit is reached. */
  signal: AbortSignal;
  /** Reports activity. */
  alive: () => void;
}

/**
 * Runs one call to a vendor with the caller's signal and three time limits. It does not wait for an SDK that ignores
 * its signal. An error of `run` is rethrown, unless the signal or a time limit came first.
 */
export async function callWithin<T>(
  options: CallOptions,
  run: (call: RunningCall) => Promise<T>,
): Promise<T> {
  const { row, signal, timeouts = {}, clock = systemClock } = options;
  const { firstByteMs = 120_000, stallMs = 60_000, totalMs = 180_000 } = timeouts;
  signal?.throwIfAborted();
  const call = new AbortController();
  const over = new AbortController();
  const startedAt = clock.now();
  let heardAt: number | null = null;

  const onAbort = () => call.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const aborted = new Promise<never>((_, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true });
  });

  async function watch(): Promise<void> {
    for (;;) {
      const silentUntil = heardAt === null ? startedAt + firstByteMs : heardAt + stallMs;
      const remainingMs = Math.min(silentUntil, startedAt + totalMs) - clock.now();
      if (remainingMs <= 0) return call.abort(timeoutError(row, clock.now() - startedAt));
      await clock.sleep(Math.min(remainingMs, stallMs), { signal: over.signal });
    }
  }

  const watching = watch().catch((reason: unknown) => {
    if (!over.signal.aborted) throw reason;
  });
  try {
    return await Promise.race([
      run({ signal: call.signal, alive: () => void (heardAt = clock.now()) }),
      aborted,
    ]);
  } finally {
    over.abort();
    signal?.removeEventListener('abort', onAbort);
    await watching;
  }
}

function timeoutError(row: ProviderRow, ms: number): ProviderError {
  return new ProviderError(
    'timeout',
    `The ${row.name} observer got no answer in ${Math.round(ms / 1000)} seconds.`,
    {
      data: { provider: row.name },
    },
  );
}
