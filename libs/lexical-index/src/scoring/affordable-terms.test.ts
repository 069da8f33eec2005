import type { QueryTerm } from '../analysis/analyze-query.js';
import { expect, it } from 'vitest';
import { affordableTerms } from './affordable-terms.js';

const chosen = (costs: Record<string, number>, common: readonly string[] = []) =>
  affordableTerms(
    Object.keys(costs).map((term): QueryTerm => ({
      term,
      weight: 1,
      ...(common.includes(term) && { isCommon: true as const }),
    })),
    ({ term }) => costs[term] ?? 0,
  ).map(({ term }) => term);

it('sorts terms by rarity, with common words last', () => {
  expect(chosen({ the: 5, queue: 300, lease: 20, a: 1 }, ['the', 'a'])).toEqual([
    'lease',
    'queue',
    'a',
    'the',
  ]);
  expect(chosen({ b: 7, a: 7, c: 7 })).toEqual(['a', 'b', 'c']);
});

it('skips very frequent common words and terms beyond the budget, but never all terms', () => {
  expect(chosen({ the: 30_000, of: 20_000, queue: 30_000 }, ['the', 'of'])).toEqual(['queue', 'of']);
  expect(chosen({ a: 900_000, b: 500_000, c: 1_000_000 })).toEqual(['b', 'a']);
  expect(chosen({ a: 9_000_000, b: 10_000_000 })).toEqual(['a']);
  expect(chosen({ the: 9_000_000 }, ['the'])).toEqual(['the']);
});

it('skips terms without weight', () => {
  expect(affordableTerms([{ term: 'a', weight: 0 }], () => 1)).toEqual([]);
});
