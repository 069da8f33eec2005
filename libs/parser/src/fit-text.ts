import { headAndTail, truncate } from '@claude-mem/core';
import { escapeText } from './markup.js';
import { tokensInRequest } from './tokens-in-request.js';

/** With fewer characters, only the beginning of a text is kept. */
const MIN_LENGTH_WITH_TAIL = 160;

/**
 * Escapes a text for the prompt within a token limit. A long text keeps its beginning and end. Characters are never
 * split.
 */
export function fitEscaped(text: string, maxTokens: number): string {
  const maxLength = Math.floor(maxTokens);
  if (maxLength <= 0 || text === '') return '';
  let part = text.length > maxLength * 4 ? null : escapeText(text);
  let tokens = part === null ? Infinity : tokensInRequest(part);
  let limit = Math.min(text.length - 1, maxLength * 4);
  while (tokens > maxLength) {
    if (limit <= 0) return '';
    part = escapeText(truncateMiddle(text, limit));
    tokens = tokensInRequest(part);
    limit = Math.min(limit - 1, Math.floor((limit * maxLength) / tokens));
  }
  return part ?? '';
}

/** Truncates a text to `limit` characters, including the omission note. */
function truncateMiddle(text: string, limit: number): string {
  return limit < MIN_LENGTH_WITH_TAIL ? truncate(text, limit) : headAndTail(text, limit - 40);
}

/**
 * Divides a budget by weight. The unused part of a share goes to the other texts. Each share is an integer, and their
 * sum is at most the budget.
 */
export function divideTokens(
  needs: readonly number[],
  budget: number,
  weights: readonly number[] = needs.map(() => 1),
): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0);
  const getWeight = (index: number) => weights[index] ?? 1;
  const relative = (index: number) => (needs[index] as number) / getWeight(index);
  const byNeed = needs.map((_, index) => index).sort((a, b) => relative(a) - relative(b));
  let remaining = Math.max(0, budget);
  let remainingWeight = weights.reduce((sum, weight) => sum + weight, 0);
  for (const index of byNeed) {
    const share = Math.min(
      needs[index] as number,
      Math.floor((remaining * getWeight(index)) / remainingWeight),
    );
    shares[index] = share;
    remaining -= share;
    remainingWeight -= getWeight(index);
  }
  return shares;
}
