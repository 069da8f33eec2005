import { describe, expect, it } from 'vitest';
import { mean, score } from './metrics.js';

const ranking = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
const gold = (...ids: string[]) => new Map(ids.map((id) => [id, 1]));

describe('measures of a ranking', () => {
  it('recall is the share of what should be found', () => {
    expect(score('R@5', ranking, gold('b', 'e', 'f', 'z'))).toBe(2 / 4);
    expect(score('R@10', ranking, gold('b', 'e', 'f', 'z'))).toBe(3 / 4);
    expect(score('R@10', ranking, gold('k'))).toBe(0);
  });

  it('strict recall wants all of it, any-hit one of it', () => {
    expect(score('strict@10', ranking, gold('a', 'j'))).toBe(1);
    expect(score('strict@10', ranking, gold('a', 'k'))).toBe(0);
    expect(score('any@10', ranking, gold('a', 'k'))).toBe(1);
    expect(score('any@10', ranking, gold('k'))).toBe(0);
    expect(score('acc@5', ranking, gold('e'))).toBe(1);
    expect(score('acc@5', ranking, gold('f'))).toBe(0);
  });

  it('reciprocal rank is that of the first find, however deep', () => {
    expect(score('MRR', ranking, gold('c', 'd'))).toBe(1 / 3);
    expect(score('MRR', ranking, gold('k'))).toBe(1 / 11);
    expect(score('MRR', ranking, gold('z'))).toBe(0);
  });

  it('nDCG divides by the best order there could be', () => {
    // (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3))
    expect(score('nDCG@10', ranking, gold('b', 'd'))).toBeCloseTo(0.650921, 6);
    expect(score('nDCG@10', ranking, gold('a'))).toBe(1);
    expect(score('nDCG@10', ranking, gold('k'))).toBe(0);
    // grades 3 and 1, ranked as 1 then 3: (1 + 3/log2(3)) / (3 + 1/log2(3))
    const graded = new Map([
      ['a', 1],
      ['b', 3],
    ]);
    expect(score('nDCG@10', ranking, graded)).toBeCloseTo(0.796708, 5);
  });

  it('nDCG with more to find than places is 1 when all places are right', () => {
    expect(score('nDCG@10', ranking, gold(...ranking))).toBe(1);
  });

  it('the mean of nothing is 0', () => {
    expect(mean([])).toBe(0);
    expect(mean([0, 1, 0.5])).toBe(0.5);
  });
});
