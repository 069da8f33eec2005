import { estimateTokens } from '@claude-mem/core';

/** Estimates the tokens of a text in a request, including the characters that JSON adds. */
export function tokensInRequest(text: string): number {
  let added = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22 || code === 0x5c || code === 0x0a) added += 1;
    else if (code < 0x20) added += 5;
  }
  return estimateTokens(text) + Math.ceil(added / 4);
}
