import { messageOf, pause, type Clock } from '@claude-mem/core';
import type { WorkerLog } from '../log/create-log.js';

/** What a text that only helps comes to within the time; '' when it comes too late or not at all. */
export async function inTime(
  find: (signal: AbortSignal) => Promise<string>,
  { ms, what, clock, log }: { ms: number; what: string; clock: Clock; log: WorkerLog },
): Promise<string> {
  const stop = new AbortController();
  const found = find(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) log.warn({ reason: messageOf(error) }, `${what} could not be looked up`);
    return '';
  });
  const late = pause(clock, ms, stop.signal).then(() => null);
  const text = await Promise.race([found, late]);
  stop.abort();
  if (text === null) log.debug({ ms }, `${what} came too late`);
  return text ?? '';
}
