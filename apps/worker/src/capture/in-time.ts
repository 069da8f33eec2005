import { messageOf, pause, type Clock } from '@claude-mem/core';
import type { WorkerLog } from '../log/create-log.js';

const LATE = Symbol('late');

/** What an optional search finds within the time; null when it finds nothing, fails, or takes too long. */
export async function inTime<Found>(
  find: (signal: AbortSignal) => Promise<Found | null>,
  { ms, what, clock, log }: { ms: number; what: string; clock: Clock; log: WorkerLog },
): Promise<Found | null> {
  const stop = new AbortController();
  const found = find(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) log.warn({ reason: messageOf(error) }, `${what} could not be looked up`);
    return null;
  });
  const late = pause(clock, ms, stop.signal).then(() => LATE);
  const first = await Promise.race([found, late]);
  stop.abort();
  if (typeof first !== 'symbol') return first;
  log.debug({ ms }, `${what} came too late`);
  return null;
}
