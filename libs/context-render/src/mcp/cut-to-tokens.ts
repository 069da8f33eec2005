import { estimateTokens, truncate } from '@claude-mem/core';

/** Cuts to what costs at most so many tokens by estimate, `…` included. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let quarters = (tokens - 1) * 4;
  let length = 0;
  while (length < text.length) {
    quarters -= text.charCodeAt(length) > 0x7f ? 4 : 1;
    if (quarters < 0) break;
    length += 1;
  }
  return truncate(text, Math.max(1, length + 1));
}
