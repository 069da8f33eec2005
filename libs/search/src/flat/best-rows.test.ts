import { expect, it } from 'vitest';
import { bestRows } from './best-rows.js';

it('returns the rows with the largest sums in order, and the later ones of equal rows', () => {
  const weighed = { rows: Uint32Array.of(2, 3, 5, 7, 9), sums: Int32Array.of(1, 1, -8, 8, 1) };
  expect([...bestRows(weighed, 1, 8)]).toEqual([7]);
  expect([...bestRows(weighed, 3, 8)]).toEqual([3, 7, 9]);
  expect([...bestRows(weighed, 4, 8)]).toEqual([2, 3, 7, 9]);
  expect([...bestRows(weighed, 5, 8)]).toEqual([2, 3, 5, 7, 9]);
});
