import { processorTime } from './processor-time.js';

/** The limit for linear work, whose growth is about 16. The growth of quadratic work is about 256. */
export const LINEAR_GROWTH = 64;

const FACTOR = 16;
/** Shorter times are too inaccurate for a comparison on a busy machine. */
const MIN_MS = 6;

/**
 * Divides the processor time of `run` for `length` by the time for a sixteenth of that length. Repeats each measurement and
 * uses the shortest time, because compilation and garbage collection lengthen single measurements.
 */
export function processorTimeGrowth(run: (length: number) => unknown, length: number): number {
  const measure = (size: number, rounds: number, enoughMs: number) => {
    let least = Infinity;
    for (let round = 0; round < rounds && least > enoughMs; round += 1) {
      const spent = processorTime();
      run(size);
      least = Math.min(least, spent());
    }
    return least;
  };
  const small = Math.max(measure(Math.ceil(length / FACTOR), 3, MIN_MS), MIN_MS);
  return measure(length, 6, small * LINEAR_GROWTH * 0.9) / small;
}
