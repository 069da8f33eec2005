import { bySize, randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createIdMap } from './id-map.js';

/** One of these steps copies megabytes. */
const STEPS = bySize({ quick: 4_000, full: 20_000 });

it('behaves like a Map for ids close together and far apart', () => {
  const random = randomFrom(3);
  const ids = createIdMap();
  const expected = new Map<number, number>();
  const id = () => Math.floor(random() * 10 ** Math.floor(random() * 10));
  for (let step = 0; step < STEPS; step += 1) {
    const one = id();
    if (random() < 0.3) {
      ids.delete(one);
      expected.delete(one);
    } else {
      ids.set(one, step);
      expected.set(one, step);
    }
    const other = id();
    expect(ids.get(other)).toBe(expected.get(other));
  }
  for (const [one, slot] of expected) expect(ids.get(one)).toBe(slot);
});

it('updates and deletes a distant id after the ids in between were added', () => {
  const ids = createIdMap();
  const far = 3_000_000;
  ids.set(far, 1);
  for (let one = 1_000; one < far + 10; one += 100_000) ids.set(one, 2);
  ids.set(far + 5, 3);
  expect(ids.get(far)).toBe(1);
  ids.set(far, 4);
  expect(ids.get(far)).toBe(4);
  ids.delete(far);
  expect(ids.get(far)).toBeUndefined();
});
