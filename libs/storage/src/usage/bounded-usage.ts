import type { CallUsage } from '@claude-mem/core';

/** Upper limits that no real call reaches. Sums of calls below them never exceed the columns. */
const MAX_TOKENS = 1e9;
const MAX_COST_USD = 1e5;

const NOTHING: CallUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimatedCostUsd: 0 };

/**
 * Limits `usage` to plausible values: integers that are finite and not negative. Invalid numbers are replaced by the
 * estimate.
 */
export function boundedUsage(usage: CallUsage, estimate: CallUsage = NOTHING): CallUsage {
  const bounded = (field: keyof CallUsage, max: number) => {
    const value = Number.isNaN(usage[field]) ? estimate[field] : usage[field];
    return Math.min(Math.max(value || 0, 0), max);
  };
  const inputTokens = Math.round(bounded('inputTokens', MAX_TOKENS));
  return {
    inputTokens,
    outputTokens: Math.round(bounded('outputTokens', MAX_TOKENS)),
    cachedTokens: Math.min(Math.round(bounded('cachedTokens', MAX_TOKENS)), inputTokens),
    estimatedCostUsd: bounded('estimatedCostUsd', MAX_COST_USD),
  };
}
