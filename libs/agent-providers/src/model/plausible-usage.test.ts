import { expect, it } from 'vitest';
import { plausibleCost, plausibleTokens } from './plausible-usage.js';

const estimate = { inputTokens: 10_000, outputTokens: 1_000 };

it('keeps reported tokens that are near the estimate', () => {
  const reported = { inputTokens: 14_000, outputTokens: 800, cachedTokens: 9_000 };
  expect(plausibleTokens(reported, estimate)).toEqual(reported);
});

it('uses half of the estimate when fewer tokens are reported', () => {
  expect(plausibleTokens({ inputTokens: 1, outputTokens: 0, cachedTokens: 0 }, estimate)).toEqual({
    inputTokens: 5_000,
    outputTokens: 500,
    cachedTokens: 0,
  });
});

it('uses 20 times the estimate when more tokens are reported', () => {
  const reported = { inputTokens: 1e300, outputTokens: 1e300, cachedTokens: 1e300 };
  expect(plausibleTokens(reported, estimate)).toEqual({
    inputTokens: 200_000,
    outputTokens: 20_000,
    cachedTokens: 200_000,
  });
});

it('allows for the template of a server and for reasoning when prompt and reply are short', () => {
  const reported = { inputTokens: 1_500, outputTokens: 9_000, cachedTokens: 0 };
  expect(plausibleTokens(reported, { inputTokens: 4, outputTokens: 0 })).toEqual(reported);
});

it('limits the reported cost to 20 times the list price', () => {
  const tokens = { inputTokens: 10_000, outputTokens: 0, cachedTokens: 0 };
  expect(plausibleCost(0.000_4, 'gpt-5-nano', tokens)).toBe(0.000_4);
  expect(plausibleCost(1e300, 'gpt-5-nano', tokens)).toBeCloseTo(0.01, 6);
});
