import { estimateTokens } from '@claude-mem/core';
import { truncateQuoted } from '@claude-mem/privacy';

/** Cuts a quoted text to an estimated number of tokens, including the `…`. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let quarters = (tokens - 1) * 4;
  let length = 0;
  while (length < text.length) {
    quarters -= text.charCodeAt(length) > 0x7f ? 4 : 1;
    if (quarters < 0) break;
    length += 1;
  }
  return truncateQuoted(text, Math.max(1, length + 1));
}
