import type { RecordConversation } from './create-observer.js';

/** Finds what a session decided so far, and the earlier records of the project that it replaces. */
export const recordConversation: RecordConversation = async (batch, earlier) => {
  const { draftConversationRecord, findReplaced, readConversation } =
    await import('@claude-mem/local-observer/conversation');
  if (batch.conversation.length === 0) return null;
  const read = await readConversation(batch.conversation);
  const draft = draftConversationRecord(read, batch);
  return {
    draft,
    supersedes: draft !== null && read.amends ? findReplaced(draft, batch.conversation, await earlier()) : [],
  };
};
