import type { ConversationTurn } from '@claude-mem/core';
import { runWithPauses } from '@claude-mem/evidence';
import { statementSteps, type ReadConversation } from './read-statements.js';

/**
 * Finds the decisions in a conversation by rules. Each text is a sentence of the conversation. Yields to the event loop
 * every few milliseconds.
 * @throws the reason of the signal when it is aborted
 */
export function readConversation(
  conversation: readonly ConversationTurn[],
  options?: { signal?: AbortSignal | undefined },
): Promise<ReadConversation> {
  return runWithPauses(statementSteps(conversation), options);
}
