import type { RecordConversation } from './create-observer.js';

/** Finds what a session decided so far, and the earlier records of the project that it replaces. */
export const recordConversation: RecordConversation = async (batch, earlier) => {
  const { draftConversationRecord, findReplaced, readConversation } =
    await import('@claude-mem/local-observer/conversation');
  const read = await readConversation(batch.conversation);
  const draft = draftConversationRecord(read, batch);
  if (draft === null) return null;
  return { draft, supersedes: read.amends ? findReplaced(draft, await earlier()) : [] };
};
