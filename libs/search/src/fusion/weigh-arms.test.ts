import { describe, expect, it } from 'vitest';
import { agreementOf, weighArms } from './weigh-arms.js';

describe('weights of lexical and semantic results', () => {
  it('depend on the agreement for semantic results when the words cover the query', () => {
    const fine = { coverage: 0.9, rareWords: 0 };
    expect(weighArms({ ...fine, agreement: 0.6 })).toEqual({ words: 1, meaning: 0.25 });
    expect(weighArms({ ...fine, agreement: 0.4 }).meaning).toBeCloseTo(0.125);
    expect(weighArms({ ...fine, agreement: 0.2 })).toEqual({ words: 1, meaning: 0 });
    expect(weighArms({ ...fine, agreement: 0 })).toEqual({ words: 1, meaning: 0 });
  });

  it('prefer lexical results when a few rare words of a long query match', () => {
    expect(weighArms({ coverage: 0.05, rareWords: 1.2, agreement: 0 })).toEqual({ words: 1, meaning: 0 });
  });

  it('prefer semantic results when matching words are common or few', () => {
    expect(weighArms({ coverage: 0, rareWords: 0, agreement: 0 })).toEqual({ words: 0.3, meaning: 1 });
    const between = weighArms({ coverage: 0.175, rareWords: 0, agreement: 0 });
    expect(between.words).toBeCloseTo(0.65);
    expect(between.meaning).toBeCloseTo(0.5);
  });
});

describe('agreement', () => {
  it('is the share of the best lexical scores that are also semantically near', () => {
    expect(
      agreementOf([
        { score: 3, isNear: true },
        { score: 1, isNear: false },
      ]),
    ).toBe(0.75);
  });

  it('is 0 without lexical results', () => {
    expect(agreementOf([])).toBe(0);
  });
});
