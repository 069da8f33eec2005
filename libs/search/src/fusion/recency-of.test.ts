import { expect, it } from 'vitest';
import { RECENCY_HALF_LIFE_DAYS } from './fusion-weights.js';
import { recencyOf, seenFrom } from './recency-of.js';

const HALF_LIFE_MS = RECENCY_HALF_LIFE_DAYS * 86_400_000;

it('halves with each half-life, and treats a later time as now', () => {
  const now = 10 * HALF_LIFE_MS;
  expect(recencyOf(now, now)).toBe(1);
  expect(recencyOf(now - HALF_LIFE_MS, now)).toBe(0.5);
  expect(recencyOf(now - 2 * HALF_LIFE_MS, now)).toBe(0.25);
  expect(recencyOf(now + HALF_LIFE_MS, now)).toBe(1);
});

it('measures recency from the end of the requested time range unless it is in the future', () => {
  expect(seenFrom(1_000, {})).toBe(1_000);
  expect(seenFrom(1_000, { toEpoch: 400 })).toBe(400);
  expect(seenFrom(1_000, { toEpoch: 4_000 })).toBe(1_000);
});
