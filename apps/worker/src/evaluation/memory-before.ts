import type { Observation, Store } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';

type RecallMemory = Pick<Memory, 'search' | 'searchUserPrompts'>;
type RecallStore = Pick<Store, 'turnPrompts' | 'conversation' | 'currentConversations'>;

/**
 * The part of a memory that was stored before a time and has not changed since. The text that a changed record had before is not
 * known, so the record is excluded, and so are the statements of a session that went on.
 */
export function memoryBefore(
  { memory, store }: { memory: RecallMemory; store: RecallStore & Pick<Store, 'getSession'> },
  at: number,
): { memory: RecallMemory; store: RecallStore } {
  const isOlder = ({ createdAtEpoch, updatedAtEpoch }: Observation) =>
    createdAtEpoch < at && updatedAtEpoch < at;
  return {
    memory: {
      async search(request) {
        const answer = await memory.search({ ...request, asOf: at - 1 });
        return { ...answer, items: answer.items.filter(({ item }) => isOlder(item)) };
      },
      searchUserPrompts: (request) => memory.searchUserPrompts({ ...request, asOf: at - 1 }),
    },
    store: {
      turnPrompts: (sessionId, promptNumber) => store.turnPrompts(sessionId, promptNumber),
      async conversation(sessionId, options) {
        const session = await store.getSession(sessionId);
        return session !== null && session.lastActivityEpoch < at
          ? store.conversation(sessionId, options)
          : [];
      },
      async currentConversations(sessionIds) {
        const known = await store.currentConversations(sessionIds);
        return known.map((one) =>
          one.record === null || isOlder(one.record) ? one : { ...one, record: null, isUnchanged: false },
        );
      },
    },
  };
}
