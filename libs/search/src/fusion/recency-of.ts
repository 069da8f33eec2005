import { RECENCY_HALF_LIFE_DAYS } from './fusion-weights.js';

const DAY_MS = 86_400_000;

/** 1 for what is of now or later, half of it after each half-life. */
export function recencyOf(epoch: number, now: number): number {
  return 0.5 ** (Math.max(0, now - epoch) / (RECENCY_HALF_LIFE_DAYS * DAY_MS));
}

/** The moment that recency is seen from: now, or the end of the time that is asked for. */
export function seenFrom(now: number, { toEpoch }: { toEpoch?: number }): number {
  return Math.min(now, toEpoch ?? Infinity);
}
