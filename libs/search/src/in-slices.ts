import { setImmediate } from 'node:timers/promises';

/** Calls `step` until it says that it is done, and lets everything else run in between. */
export async function inSlices(step: () => boolean): Promise<void> {
  while (!step()) await setImmediate();
}
