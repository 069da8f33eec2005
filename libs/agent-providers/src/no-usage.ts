import type { CallUsage } from '@claude-mem/core';

/** A call that cost nothing. */
export const NO_USAGE: CallUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  estimatedCostUsd: 0,
};
