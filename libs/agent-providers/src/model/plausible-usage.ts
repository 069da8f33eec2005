import type { CallUsage } from '@claude-mem/core';
import { estimateCost } from './estimate-cost.js';
import { MAX_TOKENS_WITH_THOUGHTS } from './reply-limits.js';

type Tokens = Omit<CallUsage, 'estimatedCostUsd'>;

/** A server may report this many times the estimate: tokenizers differ, and servers add a template. */
const MAX_FACTOR = 20;
const MIN_FACTOR = 0.5;
/** A short prompt may become this long with the template of a server. */
const MIN_INPUT_LIMIT = 2_000;

/**
 * The tokens that a server reported, within bounds around an estimate: a server that reports too little would make the budget
 * useless, and one that reports too much would use it up.
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
      // Reasoning is no part of the text that the estimate is for.
      Math.max(MAX_TOKENS_WITH_THOUGHTS, estimate.outputTokens * MAX_FACTOR),
    ),
    cachedTokens: Math.min(reported.cachedTokens, inputTokens),
  };
}

const within = (reported: number, estimate: number, limit: number) =>
  Math.min(Math.max(reported, Math.ceil(estimate * MIN_FACTOR)), limit);

/** The cost that a server reported, at most 20 times the list price of the tokens. */
export const plausibleCost = (reported: number, model: string | null, tokens: Tokens): number =>
  Math.min(reported, estimateCost(model, tokens) * MAX_FACTOR);
