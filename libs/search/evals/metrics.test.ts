import { describe, expect, it } from 'vitest';
import { mean, score } from './metrics.js';

const ranking = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
const gold = (...ids: string[]) => new Map(ids.map((id) => [id, 1]));

describe('ranking measures', () => {
  it('recall is the share of the expected records that were found', () => {
    expect(score('R@5', ranking, gold('b', 'e', 'f', 'z'))).toBe(2 / 4);
    expect(score('R@10', ranking, gold('b', 'e', 'f', 'z'))).toBe(3 / 4);
    expect(score('R@10', ranking, gold('k'))).toBe(0);
  });

  it('strict recall requires every expected record, any-hit requires one', () => {
    expect(score('strict@10', ranking, gold('a', 'j'))).toBe(1);
    expect(score('strict@10', ranking, gold('a', 'k'))).toBe(0);
    expect(score('any@10', ranking, gold('a', 'k'))).toBe(1);
    expect(score('any@10', ranking, gold('k'))).toBe(0);
    expect(score('acc@5', ranking, gold('e'))).toBe(1);
    expect(score('acc@5', ranking, gold('f'))).toBe(0);
  });

  it('reciprocal rank uses the rank of the first expected record, at any depth', () => {
    expect(score('MRR', ranking, gold('c', 'd'))).toBe(1 / 3);
    expect(score('MRR', ranking, gold('k'))).toBe(1 / 11);
    expect(score('MRR', ranking, gold('z'))).toBe(0);
  });

  it('nDCG divides by the value of the best possible order', () => {
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

  it('nDCG is 1 when all ranks are correct but more records are expected than ranks exist', () => {
    expect(score('nDCG@10', ranking, gold(...ranking))).toBe(1);
  });

  it('the mean of an empty list is 0', () => {
    expect(mean([])).toBe(0);
    expect(mean([0, 1, 0.5])).toBe(0.5);
  });
});
