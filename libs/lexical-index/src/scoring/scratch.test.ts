import { expect, it } from 'vitest';
import { createScratches } from './scratch.js';

it('what is lent at one time is apart, all zeros, and used again afterwards', () => {
  const scratches = createScratches();
  const scratch = scratches.begin();
  const first = scratch.lend(10).fill(7);
  const second = scratch.lend(10);
  expect(second.buffer).not.toBe(first.buffer);
  scratch.takeBack();
  const again = scratch.lend(12);
  expect([first.buffer, second.buffer]).toContain(again.buffer);
  expect([...again]).toEqual(Array(12).fill(0));
  expect(scratch.lend(1_000)).toHaveLength(1_000);
});

it('what one query holds, another does not get', () => {
  const scratches = createScratches();
  const held = scratches.begin().lend(10).fill(7);
  const other = scratches.begin();
  expect(other.lend(10).buffer).not.toBe(held.buffer);
  other.takeBack();
  expect([...held]).toEqual(Array(10).fill(7));
});
