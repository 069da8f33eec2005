import { describe, expect, it } from 'vitest';
import { chooseByCollections, chooseByQueries, foldsTable, variantsTable } from './cross-validate.js';
import type { VariantScores } from './measure-variants.js';

const queries = Array.from({ length: 50 }, (_, index) => `query ${index}`);
const scoresOf = (variant: string, set: string, score: number): VariantScores => ({
  variant,
  set,
  task: `${set} task`,
  arm: 'lexical',
  queries,
  scores: queries.map(() => score),
});
const close = (value: number) => expect.closeTo(value) as number;
const scores = [
  scoresOf('present', 'one', 0.5),
  scoresOf('present', 'two', 0.5),
  scoresOf('present', 'two-events', 0.7),
  scoresOf('fits one', 'one', 1),
  scoresOf('fits one', 'two', 0.4),
  scoresOf('fits one', 'two-events', 0.4),
];

describe('chooseByCollections', () => {
  it('measures a variant only on the collection that it was not chosen on', () => {
    expect(chooseByCollections(scores)).toEqual([
      { fold: 'one', chosen: 'present', present: close(0.5), reached: close(0.5) },
      { fold: 'two', chosen: 'fits one', present: close(0.6), reached: close(0.4) },
    ]);
  });
});

describe('chooseByQueries', () => {
  it('divides all queries into five parts', () => {
    const results = chooseByQueries(scores);
    expect(results.map(({ fold }) => fold)).toEqual(['part 1', 'part 2', 'part 3', 'part 4', 'part 5']);
    expect(results.every(({ chosen }) => chosen === 'fits one')).toBe(true);
  });
});

describe('result tables', () => {
  it('contain the change of each variant and the mean of the folds', () => {
    expect(variantsTable(scores)).toMatch(
      /fits one +\| 0\.700 +\| \+0\.150 +\| \+0\.150 to \+0\.150 \| -0\.300 two-events task, lexical +\| \+0\.500 one task, lexical/,
    );
    expect(foldsTable(chooseByCollections(scores))).toMatch(
      /mean \(range\) +\| +\| 0\.550 \(0\.500 to 0\.600\) +\| 0\.450 +\| -0\.100 \(-0\.200 to \+0\.000\)/,
    );
  });
});
