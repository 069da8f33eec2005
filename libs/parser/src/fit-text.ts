import { estimateTokens, headAndTail, truncate } from '@claude-mem/core';
import { escapeMarkup } from './markup.js';

/** Text escaped for the prompt within so many tokens: its beginning and end where it is too long, whole characters only. */
export function fitEscaped(text: string, maxTokens: number): string {
  if (maxTokens <= 0) return '';
  const whole = escapeMarkup(text);
  if (estimateTokens(whole) <= maxTokens) return whole;
  let limit = Math.min(text.length - 1, maxTokens * 4);
  while (limit > 40) {
    const part = escapeMarkup(headAndTail(text, limit));
    const tokens = estimateTokens(part);
    if (tokens <= maxTokens) return part;
    limit = Math.floor(limit * Math.min(0.9, maxTokens / tokens));
  }
  for (limit = Math.min(limit, maxTokens); limit > 0; limit -= 1) {
    const part = escapeMarkup(truncate(text, limit));
    if (estimateTokens(part) <= maxTokens) return part;
  }
  return '';
}

/** Divides a budget: who needs less than an equal share leaves the rest to the others. */
export function divideTokens(needs: readonly number[], budget: number): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0);
  const byNeed = needs.map((_, index) => index).sort((a, b) => (needs[a] as number) - (needs[b] as number));
  let left = Math.max(0, budget);
  byNeed.forEach((index, position) => {
    const share = Math.min(needs[index] as number, Math.floor(left / (needs.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
