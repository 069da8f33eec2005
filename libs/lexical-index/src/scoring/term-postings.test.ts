import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { mergePostings, placeNear, strengthAt, strengthOfPlace, type TermPostings } from './term-postings.js';

it('finds a slot from any start position like a linear search', () => {
  const random = randomFrom(3);
  for (const size of [0, 1, 2, 7, 60]) {
    const postings = postingsOf(Array.from({ length: size }, () => Math.floor(random() * 90)));
    for (let slot = 0; slot < 92; slot += 1)
      for (let near = 0; near <= size; near += 1) {
        const place = placeNear(postings, slot, near);
        expect(place).toBe(slotsOf(postings).filter((one) => one < slot).length);
        expect(strengthOfPlace(postings, place, slot)).toBe(strengthAt(postings, slot));
      }
  }
});

it.each([
  ['behind the others', [2, 5], [6, 9], [2, 5, 6, 9]],
  ['among the others', [2, 5, 9], [3, 9, 10], [2, 3, 5, 9, 10]],
  ['before the others', [5, 9], [1, 4], [1, 4, 5, 9]],
  ['where there was nothing', [], [1, 4], [1, 4]],
  ['which is nothing', [1, 4], [], [1, 4]],
])('merges new postings %s', (_, old, fresh, merged) => {
  const both = mergePostings([postingsOf(old), postingsOf(fresh)]);
  expect(slotsOf(both)).toEqual(merged);
  for (const slot of merged) expect(strengthAt(both, slot)).toBe(slot + 0.5);
});

/** With unused entries in the lists, like lists from which a record was removed. */
function postingsOf(numbers: readonly number[]): TermPostings {
  const slots = [...new Set(numbers)].sort((left, right) => left - right);
  return {
    slots: Uint32Array.from([...slots, 1, 1]),
    strengths: Float32Array.from([...slots.map((slot) => slot + 0.5), 7, 7]),
    count: slots.length,
  };
}

const slotsOf = ({ slots, count }: TermPostings) => [...slots.subarray(0, count)];
