import { describe, expect, it } from 'vitest';
import { agreementOf, weighArms } from './weigh-arms.js';

describe('the weights of words and meaning', () => {
  it('words that cover the query leave to meaning what agrees with them', () => {
    expect(weighArms({ coverage: 0.9, agreement: 2 })).toEqual({ words: 1, meaning: 0.15 });
    expect(weighArms({ coverage: 0.9, agreement: 1 })).toEqual({ words: 1, meaning: 0 });
    expect(weighArms({ coverage: 0.9, agreement: 0 })).toEqual({ words: 1, meaning: 0 });
  });

  it('words that say next to nothing leave it to meaning', () => {
    expect(weighArms({ coverage: 0, agreement: 1 })).toEqual({ words: 0.2, meaning: 1 });
    const between = weighArms({ coverage: 0.2, agreement: 1 });
    expect(between.words).toBeCloseTo(0.6);
    expect(between.meaning).toBeCloseTo(0.5);
  });
});

describe('agreement', () => {
  const counts = { nearest: 200, all: 10_000 };

  it('is 1 on average for places that are chance', () => {
    let seed = 3;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    let sum = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const best = Array.from({ length: 10 }, (_, index) => {
        const place = 1 + Math.floor(random() * counts.all);
        return { score: 10 - index, place: place <= counts.nearest ? place : null };
      });
      sum += agreementOf(best, counts);
    }
    expect(sum / 4_000).toBeGreaterThan(0.93);
    expect(sum / 4_000).toBeLessThan(1.03);
  });

  it('grows with nearness and with the score of what is near', () => {
    const near = (first: number | null, second: number | null) =>
      agreementOf(
        [
          { score: 2, place: first },
          { score: 1, place: second },
        ],
        counts,
      );
    expect(near(1, null)).toBeGreaterThan(near(null, 1));
    expect(near(1, 2)).toBe(5);
    expect(near(50, 50)).toBeGreaterThan(near(150, 150));
    expect(near(null, null)).toBeLessThan(1);
  });

  it('without words or vectors says nothing', () => {
    expect(agreementOf([], counts)).toBe(1);
    expect(agreementOf([{ score: 1, place: null }], { nearest: 0, all: 0 })).toBe(0);
  });
});
