import type { Freshness, Observation } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { isInjectable, staleLast } from './stale-records.js';

const recordOf = (id: number, verdict?: Freshness['verdict'], path = 'src/cart.ts') =>
  ({
    id,
    ...(verdict && {
      freshness: {
        ...{ verdict, fileCount: 1, staleCount: verdict === 'fresh' ? 0 : 1 },
        branch: null,
        files: verdict === 'gone' ? [{ path, verdict, commits: null, movedTo: null }] : [],
      },
    }),
  }) as unknown as Observation;

describe('isInjectable', () => {
  it.each<[boolean, string, string]>([
    [true, 'Why did src/cart.ts exist?', 'src/cart.ts'],
    [true, 'What was in cart.ts', 'src/cart.ts'],
    [true, 'Restore `cart.ts`.', 'src/cart.ts'],
    [true, 'Restore Makefile', 'Makefile'],
    [false, 'Explain the cart', 'src/cart.ts'],
    [false, 'Explain shopping-cart.ts', 'src/cart.ts'],
    [false, 'Explain cart.tsx', 'src/cart.ts'],
    [false, 'Explain cart.ts.map', 'src/cart.ts'],
    [false, 'Explain the docs', 'lib/docs'],
  ])('is %s for the prompt %j when the deleted file is %s', (expected, prompt, path) => {
    expect(isInjectable(recordOf(1, 'gone', path), prompt)).toBe(expected);
  });

  it('is true when the files of the record were not deleted', () => {
    for (const verdict of ['fresh', 'changed', 'moved', 'unknown', undefined] as const)
      expect(isInjectable(recordOf(1, verdict), 'Explain the cart')).toBe(true);
  });
});

it('moves stale records behind the others without another change to the order', () => {
  const records = [
    recordOf(1, 'changed'),
    recordOf(2),
    recordOf(3, 'fresh'),
    recordOf(4, 'moved'),
    recordOf(5),
  ];
  expect(staleLast(records).map(({ id }) => id)).toEqual([2, 3, 5, 1, 4]);
});
