import { estimateTokens } from '@claude-mem/core';

export interface Budget {
  /** Counts the text if it fits whole; false, and nothing counted, if it does not. */
  take(text: string): boolean;
  /** A budget of this share of what is left; what is taken from it is taken from this one too. */
  part(share: number): Budget;
  /** Not even a short line fits any more. */
  isFull(): boolean;
}

/** Smaller than any index line. */
const SHORTEST = 24;

/** Two limits at once: what a model is charged for, and what a host cuts at. */
export function createBudget(limits: { maxTokens: number; maxChars: number }): Budget {
  let tokens = limits.maxTokens;
  let chars = limits.maxChars;
  const budget = (
    allowedTokens: () => number,
    allowedChars: () => number,
    spend: (tokens: number, chars: number) => void,
  ): Budget => ({
    take(text) {
      // Rounded up for each text, so the sum is never below the estimate of the whole.
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
    isFull: () => allowedTokens() < SHORTEST / 4 || allowedChars() < SHORTEST,
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
