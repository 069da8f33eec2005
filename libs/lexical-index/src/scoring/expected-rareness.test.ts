import { expect, it } from 'vitest';
import { expectedRareness } from './expected-rareness.js';
import { rareness } from './term-postings.js';

const of = (total: number, found: number, term: { term: string; isCommon?: true } = { term: 'voucher' }) => {
  const rare = expectedRareness(total);
  return rare(term, found) / rare({ term: '' }, 1);
};

it('equals the rareness in the index when there are enough records', () => {
  for (const found of [0, 1, 40, 100])
    expect(expectedRareness(100)({ term: 'voucher' }, found)).toBe(rareness(100, found));
  expect(expectedRareness(5_000)({ term: 'test', isCommon: true }, 7)).toBe(rareness(5_000, 7));
});

it('treats a word in all of a few records as rare, but not a common word', () => {
  expect(of(3, 3)).toBeGreaterThan(0.7);
  expect(of(3, 3, { term: 'test' })).toBeLessThan(0.5);
  expect(of(3, 3, { term: 'the', isCommon: true })).toBeLessThan(0.01);
  expect(of(1, 1)).toBe(1);
});

it('decreases for a word in all records when the number of records grows', () => {
  const all = [1, 3, 10, 30, 100].map((total) => of(total, total));
  expect([...all].sort((left, right) => right - left)).toEqual(all);
  expect(all.at(-1)).toBeLessThan(0.01);
});
