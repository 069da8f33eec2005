import type { CallUsage } from '@claude-mem/core';
import { estimateCost } from './estimate-cost.js';
import { MAX_TOKENS_WITH_THOUGHTS } from './reply-limits.js';

type Tokens = Omit<CallUsage, 'estimatedCostUsd'>;

/** Maximum ratio of the reported usage to the estimate: tokenizers differ, and servers add a template. */
const MAX_FACTOR = 20;
const MIN_FACTOR = 0.5;
/** Maximum tokens of a short prompt with the template of a server. */
const MIN_INPUT_LIMIT = 2_000;

/**
 * Limits the usage that a server reported to a range around an estimate. A server that reports too little would
 * bypass the budget, and one that reports too much would use it up.
 */
export function plausibleTokens(
  reported: Tokens,
  estimate: Pick<Tokens, 'inputTokens' | 'outputTokens'>,
): Tokens {
  const inputTokens = within(
    reported.inputTokens,
    estimate.inputTokens,
    Math.max(MIN_INPUT_LIMIT, estimate.inputTokens * MAX_FACTOR),
  );
  return {
    inputTokens,
    outputTokens: within(
      reported.outputTokens,
      estimate.outputTokens,
      // The estimate covers only text, so reasoning tokens are limited separately.
      Math.max(MAX_TOKENS_WITH_THOUGHTS, estimate.outputTokens * MAX_FACTOR),
    ),
    cachedTokens: Math.min(reported.cachedTokens, inputTokens),
  };
}

const within = (reported: number, estimate: number, limit: number) =>
  Math.min(Math.max(reported, Math.ceil(estimate * MIN_FACTOR)), limit);

/** Limits the cost that a server reported to 20 times the list price of the tokens. */
export const plausibleCost = (reported: number, model: string | null, tokens: Tokens): number =>
  Math.min(reported, estimateCost(model, tokens) * MAX_FACTOR);
