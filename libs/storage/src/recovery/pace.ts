/** Time of the last pause of a long operation. `pause` yields to the event loop when the last pause is too long ago. */
export interface Pace {
  pausedAt: number;
}

const MAX_RUN_MS = 15;

export const createPace = (): Pace => ({ pausedAt: performance.now() });

export async function pause(pace: Pace): Promise<void> {
  if (performance.now() - pace.pausedAt < MAX_RUN_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  pace.pausedAt = performance.now();
}
