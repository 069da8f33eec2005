import { expect, it } from 'vitest';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { estimateCost } from './estimate-cost.js';

const MILLION = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0 };

it('uses the price of each kind of token', () => {
  const tokens = { inputTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 50 };
  expect(estimateCost('claude-haiku-4-5', tokens)).toBeCloseTo(
    (100 * 1 + 600 * 0.1 + 300 * 1.25 + 50 * 5) / 1e6,
    12,
  );
});

it('recognizes a model by its dated names and by the names of routers', () => {
  const price = estimateCost('claude-haiku-4-5', MILLION);
  for (const name of [
    'claude-haiku-4-5-20251001',
    'anthropic/claude-haiku-4.5',
    'anthropic/claude-haiku-4.5:nitro',
    'Claude-Haiku-4-5',
  ])
    expect(estimateCost(name, MILLION)).toBe(price);
});

it('has a price for every default model', () => {
  for (const { defaultModel } of Object.values(PROVIDER_ROWS))
    if (defaultModel !== null) expect(estimateCost(defaultModel, MILLION)).toBeLessThan(2);
});

it('charges more for long requests when the vendor does', () => {
  const short = estimateCost('claude-haiku-5-5', { ...MILLION, inputTokens: 100_000 });
  const long = estimateCost('claude-haiku-5-5', { ...MILLION, inputTokens: 100_001 });
  expect(long / short).toBeCloseTo(5, 3);
});

it('uses a high price for an unknown model', () => {
  for (const name of ['brand-new-model', 'claude-haiku-45', 'gpt-5-pro', 'gpt-5-mini-high', '', null])
    expect(estimateCost(name, MILLION)).toBeGreaterThanOrEqual(10);
});

it('returns zero when the name marks the model as free', () => {
  expect(estimateCost('meta-llama/llama-4-maverick:free', MILLION)).toBe(0);
});
