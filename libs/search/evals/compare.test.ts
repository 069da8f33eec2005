import { describe, expect, it } from 'vitest';
import { comparisonTable, splitFolds, scoresOf, signTest } from './compare.js';
import type { EvalTask } from './eval-set.js';
import type { TaskResult } from './run-set.js';

const query = (text: string, project = 'one') => ({ text, project, gold: new Map([['wanted', 1]]) });
const result = (rankings: readonly string[][]): TaskResult => {
  const task: EvalTask = {
    name: 'notes',
    unit: 'observation',
    queries: rankings.map((_, index) => query(`query ${index}`, index < 2 ? 'one' : 'two')),
    goals: [{ measure: 'MRR', plain: null, lexical: null, hybrid: null }],
  };
  return {
    task,
    arm: 'lexical',
    answers: task.queries.map((one, index) => ({ query: one, ranking: rankings[index] ?? [], score: 0 })),
  };
};

describe('comparing two runs', () => {
  it('lists the changes for all queries and for each fold', () => {
    const before = scoresOf([result([['other', 'wanted'], ['wanted'], ['wanted'], ['wanted']])]);
    const now = [result([['wanted'], ['wanted'], ['wanted'], ['other', 'wanted']])];
    const [, , line] = comparisonTable(now, before).split('\n');
    expect(line?.split('|').map((cell) => cell.trim())).toEqual([
      'notes, MRR',
      'lexical',
      '0.875',
      '0.875',
      '+0.000',
      '+0.250 -0.250',
      '1/1',
      '1.00',
    ]);
  });

  it('skips earlier scores that were stored for other queries', () => {
    const before = scoresOf([result([['wanted']])]);
    expect(comparisonTable([result([['wanted'], ['wanted']])], before).split('\n')).toHaveLength(2);
  });

  it('uses projects as folds, or halves that do not depend on the order of the queries', () => {
    expect(splitFolds({ queries: [query('a', 'two'), query('b', 'one'), query('c', 'two')] })).toEqual([
      [1],
      [0, 2],
    ]);
    const queries = Array.from({ length: 40 }, (_, index) => query(`query ${index}`));
    const texts = (folds: number[][], from: typeof queries) =>
      folds.map((fold) => fold.map((index) => from[index]?.text).sort());
    const halves = splitFolds({ queries });
    expect(halves.map(({ length }) => length).every((length) => length > 10)).toBe(true);
    const turned = queries.toReversed();
    expect(texts(splitFolds({ queries: turned }), turned)).toEqual(texts(halves, queries));
  });

  it('separates a significant gain from chance', () => {
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(5, 5)).toBe(1);
    expect(signTest(0, 5)).toBeCloseTo(2 / 32);
    expect(signTest(1, 5)).toBeCloseTo((2 * (1 + 6)) / 64);
    expect(signTest(300, 200)).toBeLessThan(0.001);
    expect(signTest(2_000, 2_000)).toBe(1);
    expect(signTest(2_100, 2_000)).toBeCloseTo(0.12, 2);
  });
});
