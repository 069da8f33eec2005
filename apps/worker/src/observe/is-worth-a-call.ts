import { estimateTokens, isEvidenceOnly, type ObserverBatch } from '@claude-mem/core';

/** More than "yes", "go on" or "thanks". */
const PROMPT_TOKENS = 12;
/** More than "Done." or "Nothing to do here". */
const ANSWER_TOKENS = 30;

/**
 * Whether a model could find anything in it: work was done, or what was asked and said has some substance. An interrupted
 * turn in which nothing was done has neither.
 */
export function isWorthACall({ toolUses, prompt, closing }: ObserverBatch): boolean {
  if (toolUses.some((use) => !isEvidenceOnly(use))) return true;
  if (closing === null || closing.reason === 'interrupted') return false;
  return (
    estimateTokens(closing.lastAssistantMessage ?? '') >= ANSWER_TOKENS ||
    estimateTokens(prompt ?? '') >= PROMPT_TOKENS
  );
}
