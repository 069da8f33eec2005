import { systemClock, type Clock } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';
import type { ProviderRow } from '../provider-rows.js';

export interface CallTimeouts {
  /** Until anything of the answer arrives. @default 120_000 */
  firstByteMs?: number;
  /** Between two signs of life. @default 60_000 */
  stallMs?: number;
  /** The whole call. @default 180_000 */
  wholeMs?: number;
}

export interface CallOptions {
  row: ProviderRow;
  /** The caller's; its reason passes through untouched. */
  signal?: AbortSignal | undefined;
  timeouts?: CallTimeouts | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

export interface RunningCall {
  /** Aborts with the caller's signal and when the time is over. */
  signal: AbortSignal;
  /** Something arrived. */
  alive: () => void;
}

/**
 * Runs one call to a vendor under the caller's signal and three time limits. Does not wait for a vendor's package that
 * ignores its signal. What `run` throws passes through, unless the signal or a limit came first.
 */
export async function callWithin<T>(
  options: CallOptions,
  run: (call: RunningCall) => Promise<T>,
): Promise<T> {
  const { row, signal, timeouts = {}, clock = systemClock } = options;
  const { firstByteMs = 120_000, stallMs = 60_000, wholeMs = 180_000 } = timeouts;
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
      const left = Math.min(silentUntil, startedAt + wholeMs) - clock.now();
      if (left <= 0) return call.abort(timeoutError(row, clock.now() - startedAt));
      await clock.sleep(Math.min(left, stallMs), { signal: over.signal });
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
