import { expect, it } from 'vitest';
import { uuidV7 } from './uuid-v7.js';

it('has the format, version and variant of RFC 9562', () => {
  for (const time of [0, 1, 1_700_000_000_000, 2 ** 47])
    expect(uuidV7(time)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('contains the time in its first 48 bits', () => {
  const time = Date.UTC(2026, 10, 28, 12, 34, 56, 789);
  expect(parseInt(uuidV7(time).replaceAll('-', '').slice(0, 12), 16)).toBe(time);
});

it('sorts as text by time, across all 48 bits', () => {
  const times = [0, 1, 2 ** 16, 2 ** 32 - 1, 2 ** 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 47];
  const uuids = times.map(uuidV7);
  expect([...uuids].sort()).toEqual(uuids);
});

it('is unique within a millisecond', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => uuidV7(1_700_000_000_000))).size).toBe(10_000);
});
