import { estimateTokens } from '@claude-mem/core';

export interface Budget {
  /** Subtracts the cost of the text and returns true if the complete text fits. Otherwise changes nothing and returns false. */
  take(text: string): boolean;
  /** Returns a budget for a share of the remainder. Its costs are also subtracted from this budget. */
  part(share: number): Budget;
  /** Whether not even a short line fits. */
  isFull(): boolean;
}

/** Length in UTF-16 code units. Every index line is longer. */
const MIN_LINE_CHARS = 24;

/** Creates a budget with two limits: the tokens that a model is charged for, and the UTF-16 code units after which a host cuts. */
export function createBudget(limits: { maxTokens: number; maxChars: number }): Budget {
  let tokens = limits.maxTokens;
  let chars = limits.maxChars;
  const budget = (
    allowedTokens: () => number,
    allowedChars: () => number,
    spend: (tokens: number, chars: number) => void,
  ): Budget => ({
    take(text) {
      // rounded up for each text, so the sum is never below the estimate of the complete text
      const cost = estimateTokens(text);
      if (cost > allowedTokens() || text.length > allowedChars()) return false;
      spend(cost, text.length);
      return true;
    },
    part(share) {
      let partTokens = Math.floor(allowedTokens() * share);
      let partChars = Math.floor(allowedChars() * share);
      return budget(
        () => Math.min(partTokens, allowedTokens()),
        () => Math.min(partChars, allowedChars()),
        (spentTokens, spentChars) => {
          partTokens -= spentTokens;
          partChars -= spentChars;
          spend(spentTokens, spentChars);
        },
      );
    },
    isFull: () => allowedTokens() < MIN_LINE_CHARS / 4 || allowedChars() < MIN_LINE_CHARS,
  });
  return budget(
    () => tokens,
    () => chars,
    (spentTokens, spentChars) => {
      tokens -= spentTokens;
      chars -= spentChars;
    },
  );
}
