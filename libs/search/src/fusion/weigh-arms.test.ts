import { describe, expect, it } from 'vitest';
import { agreementOf, weighArms } from './weigh-arms.js';

describe('the weights of words and meaning', () => {
  it('words that cover the query leave to meaning what agrees with them', () => {
    const fine = { coverage: 0.9, rareWords: 0 };
    expect(weighArms({ ...fine, agreement: 0.6 })).toEqual({ words: 1, meaning: 0.25 });
    expect(weighArms({ ...fine, agreement: 0.4 }).meaning).toBeCloseTo(0.125);
    expect(weighArms({ ...fine, agreement: 0.2 })).toEqual({ words: 1, meaning: 0 });
    expect(weighArms({ ...fine, agreement: 0 })).toEqual({ words: 1, meaning: 0 });
  });

  it('a few rare words are as good as most of a long query', () => {
    expect(weighArms({ coverage: 0.05, rareWords: 1.2, agreement: 0 })).toEqual({ words: 1, meaning: 0 });
  });

  it('words that say next to nothing leave it to meaning', () => {
    expect(weighArms({ coverage: 0, rareWords: 0, agreement: 0 })).toEqual({ words: 0.3, meaning: 1 });
    const between = weighArms({ coverage: 0.175, rareWords: 0, agreement: 0 });
    expect(between.words).toBeCloseTo(0.65);
    expect(between.meaning).toBeCloseTo(0.5);
  });
});

describe('agreement', () => {
  it('is the share of what words found best that is near as well, by its scores', () => {
    expect(
      agreementOf([
        { score: 3, isNear: true },
        { score: 1, isNear: false },
      ]),
    ).toBe(0.75);
  });

  it('without words is none', () => {
    expect(agreementOf([])).toBe(0);
  });
});
