import { estimateTokens, isEvidenceOnly, type ObserverBatch } from '@claude-mem/core';

/** More than "go on" and "Done.". */
const LEAST_TOKENS = 15;

/** Whether a batch has enough content for a model: a tool use, several turns, or a turn of at least `LEAST_TOKENS`. */
export function isWorthACall(batch: ObserverBatch): boolean {
  const { toolUses, prompt, closing, promptNumber, firstPromptNumber } = batch;
  if (firstPromptNumber < promptNumber || toolUses.some((use) => !isEvidenceOnly(use))) return true;
  if (closing?.reason !== 'turn-end') return false;
  return estimateTokens(`${prompt ?? ''} ${closing.lastAssistantMessage ?? ''}`) >= LEAST_TOKENS;
}
