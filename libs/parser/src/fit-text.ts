import { headAndTail, truncate } from '@claude-mem/core';
import { escapeText } from './markup.js';
import { tokensInRequest } from './tokens-in-request.js';

/** With fewer characters than this, only the beginning is kept. */
const SHORTEST_WITH_TAIL = 160;

/** Text escaped for the prompt within so many tokens: its beginning and end where it is too long, whole characters only. */
export function fitEscaped(text: string, maxTokens: number): string {
  const most = Math.floor(maxTokens);
  if (most <= 0 || text === '') return '';
  let part = text.length > most * 4 ? null : escapeText(text);
  let tokens = part === null ? Infinity : tokensInRequest(part);
  let limit = Math.min(text.length - 1, most * 4);
  while (tokens > most) {
    if (limit <= 0) return '';
    part = escapeText(cut(text, limit));
    tokens = tokensInRequest(part);
    limit = Math.min(limit - 1, Math.floor((limit * most) / tokens));
  }
  return part ?? '';
}

/** At most `limit` characters, the word on what was left out included. */
function cut(text: string, limit: number): string {
  return limit < SHORTEST_WITH_TAIL ? truncate(text, limit) : headAndTail(text, limit - 40);
}

/**
 * Divides a budget by weight: who needs less than its share leaves the rest to the others. Each share is a whole
 * number, and their sum at most the budget.
 */
export function divideTokens(
  needs: readonly number[],
  budget: number,
  weights: readonly number[] = needs.map(() => 1),
): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0);
  const weightOf = (index: number) => weights[index] ?? 1;
  const relative = (index: number) => (needs[index] as number) / weightOf(index);
  const byNeed = needs.map((_, index) => index).sort((a, b) => relative(a) - relative(b));
  let left = Math.max(0, budget);
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  for (const index of byNeed) {
    const share = Math.min(needs[index] as number, Math.floor((left * weightOf(index)) / weightLeft));
    shares[index] = share;
    left -= share;
    weightLeft -= weightOf(index);
  }
  return shares;
}
