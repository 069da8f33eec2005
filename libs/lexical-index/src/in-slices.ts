import { setImmediate } from 'node:timers/promises';

/** Calls `step` until it returns true, and yields to the event loop between the calls. */
export async function inSlices(step: () => boolean): Promise<void> {
  while (!step()) await setImmediate();
}
