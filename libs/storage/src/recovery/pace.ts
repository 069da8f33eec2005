/** Lets others have their turn now and then during long work. */
export interface Pace {
  restedAt: number;
}

const TURN_MS = 15;

export const createPace = (): Pace => ({ restedAt: performance.now() });

export async function pause(pace: Pace): Promise<void> {
  if (performance.now() - pace.restedAt < TURN_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  pace.restedAt = performance.now();
}
