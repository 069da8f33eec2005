import { messageOf, pause, type Clock, type Logger } from '@claude-mem/core';

const LATE = Symbol('late');

/** Returns the result of an optional search; null when the search finds nothing, fails, or takes longer than `ms`. */
export async function withTimeout<Found>(
  find: (signal: AbortSignal) => Promise<Found | null>,
  { ms, name, clock, log }: { ms: number; name: string; clock: Clock; log: Logger },
): Promise<Found | null> {
  const stop = new AbortController();
  const found = find(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) log.warn({ reason: messageOf(error) }, `${name} could not be looked up`);
    return null;
  });
  const late = pause(clock, ms, stop.signal).then(() => LATE);
  const first = await Promise.race([found, late]);
  stop.abort();
  if (typeof first !== 'symbol') return first;
  log.debug({ ms }, `${name} came too late`);
  return null;
}
