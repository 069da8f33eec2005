import type { RecordConversation } from './create-observer.js';

/** Finds what a session decided so far, and the earlier records of the project that it replaces. */
export const recordConversation: RecordConversation = async (batch, earlier, { signal }) => {
  const { draftConversationRecord, findReplaced, readConversation } =
    await import('@claude-mem/local-observer/conversation');
  const [first] = batch.conversation;
  // without its beginning, a conversation can lack what its record contains
  if (first === undefined || first.promptNumber > 1) return null;
  const read = await readConversation(batch.conversation, { signal });
  const draft = draftConversationRecord(read, batch);
  return {
    draft,
    supersedes: draft !== null && read.replaces ? findReplaced(draft, await earlier()) : [],
  };
};
