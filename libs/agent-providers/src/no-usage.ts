import type { CallUsage } from '@claude-mem/core';

/** The usage of a call that cost nothing. */
export const NO_USAGE: CallUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  estimatedCostUsd: 0,
};
