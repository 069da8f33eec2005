import { describe, expect, it } from 'vitest';
import { createPlainBm25 } from './plain-bm25.js';
import { porterStem } from './porter-stem.js';

describe('the reference implementation of BM25', () => {
  it('scores records with the formula', () => {
    const [best, second, none] = createPlainBm25(['red fox', 'red red wolf runs', 'bear']).search('red');
    // idf = ln(1 + 1.5/2.5); lengths 2 and 4 of 7/3 on average
    expect(best?.index).toBe(1);
    expect(best?.score).toBeCloseTo((Math.log(1.6) * 2 * 1.9) / (2 + 0.9 * (0.6 + (0.4 * 4) / (7 / 3))), 10);
    expect(second?.score).toBeCloseTo((Math.log(1.6) * 1.9) / (1 + 0.9 * (0.6 + (0.4 * 2) / (7 / 3))), 10);
    expect(none).toBeUndefined();
  });

  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['relational', 'relat'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['probate', 'probat'],
    ['sky', 'ski'],
    ['is', 'is'],
    ['über', 'über'],
  ])('stems %s to %s', (word, stem) => {
    expect(porterStem(word)).toBe(stem);
  });
});
