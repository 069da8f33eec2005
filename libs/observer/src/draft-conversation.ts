import type { DraftConversation } from './create-batch-handler.js';

/**
 * Drafts the conversation record of a session from its decisions, and finds the earlier records of the project that
 * it replaces.
 */
export const draftConversation: DraftConversation = async (batch, earlier, { signal }) => {
  const { draftConversationRecord, findReplaced, readConversation } =
    await import('@claude-mem/local-observer/conversation');
  const [first] = batch.conversation;
  // Without its beginning, a conversation can lack decisions that its record contains.
  if (first === undefined || first.promptNumber > 1) return null;
  const read = await readConversation(batch.conversation, { signal });
  const draft = draftConversationRecord(read, batch);
  return {
    draft,
    supersedes: draft !== null && read.replaces ? findReplaced(draft, await earlier()) : [],
  };
};
