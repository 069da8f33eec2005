import { describe, expect, it } from 'vitest';
import { intersectWithRanking } from './intersect-with-ranking.js';

const even = (id: number) => id % 2 === 0;

describe('intersectWithRanking', () => {
  it('keeps the order of the ranking and removes ids that the filter rejects', () => {
    expect(intersectWithRanking([9, 4, 7, 2, 4, 6], { limit: 10, isAllowed: even })).toEqual([4, 2, 6]);
  });

  it('applies the limit after the filter', () => {
    expect(intersectWithRanking([1, 3, 5, 7, 8, 2], { limit: 1, isAllowed: even })).toEqual([8]);
  });

  it('appends allowed fill ids after the ranking, each once', () => {
    const request = { limit: 4, isAllowed: even, fill: [10, 9, 8, 2, 6, 0] };
    expect(intersectWithRanking([2, 1, 8], request)).toEqual([2, 8, 10, 6]);
  });

  it('reads no more ids of either list than the limit needs', () => {
    let taken = 0;
    function* endless() {
      for (;;) yield (taken += 1);
    }
    expect(intersectWithRanking(endless(), { limit: 3, isAllowed: even, fill: endless() })).toEqual([
      2, 4, 6,
    ]);
    expect(taken).toBe(6);
    expect(intersectWithRanking(endless(), { limit: 0, isAllowed: even })).toEqual([]);
    expect(taken).toBe(6);
  });

  it('equals the allowed ids of ranking and fill up to the limit for random input', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 500; round += 1) {
      const list = () => Array.from({ length: random(12) }, () => random(15));
      const [ranked, fill, allowed, limit] = [list(), list(), new Set(list()), random(10)] as const;
      const expected = [...new Set([...ranked, ...fill].filter((id) => allowed.has(id)))].slice(0, limit);
      expect(intersectWithRanking(ranked, { limit, isAllowed: (id) => allowed.has(id), fill })).toEqual(
        expected,
      );
    }
  });
});
