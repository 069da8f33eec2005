import { expect, it } from 'vitest';
import { createScratch } from './scratch.js';

it('what is lent at one time is apart, all zeros, and used again afterwards', () => {
  const scratch = createScratch();
  const first = scratch.lend(10).fill(7);
  const second = scratch.lend(10);
  expect(second.buffer).not.toBe(first.buffer);
  scratch.takeBack();
  const again = scratch.lend(12);
  expect([first.buffer, second.buffer]).toContain(again.buffer);
  expect([...again]).toEqual(Array(12).fill(0));
  expect(scratch.lend(1_000)).toHaveLength(1_000);
});
