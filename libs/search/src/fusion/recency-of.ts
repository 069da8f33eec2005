import { RECENCY_HALF_LIFE_DAYS } from './fusion-weights.js';

const DAY_MS = 86_400_000;

/** Returns 1 for the present or future, and half of it after each half-life. */
export function recencyOf(epoch: number, now: number): number {
  return 0.5 ** (Math.max(0, now - epoch) / (RECENCY_HALF_LIFE_DAYS * DAY_MS));
}

/** The reference time of recency: now, or the end of the requested period. */
export function seenFrom(now: number, { toEpoch }: { toEpoch?: number }): number {
  return Math.min(now, toEpoch ?? Infinity);
}
