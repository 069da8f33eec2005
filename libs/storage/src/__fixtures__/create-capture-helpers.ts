import type { CapturedEvent } from '@claude-mem/core';
import { dumpTables } from './dump-tables.js';
import type { TestStorage } from './open-test-storage.js';
import { reply } from './replies.js';

/** Captures events in a test storage and reads what they left in it. */
export function createCaptureHelpers(opened: () => TestStorage) {
  const store = () => opened().storage.store;
  return {
    async captureOne(event: CapturedEvent) {
      const [result] = await store().capture([event]);
      if (!result) throw new Error('no result');
      return result;
    },
    messages: () => opened().storage.messages.list({ limit: 500 }),
    async onlySession() {
      const { items } = await store().listSessions();
      if (items.length !== 1) throw new Error(`${items.length} sessions`);
      return items[0]!;
    },
    dump: () => opened().tamper(dumpTables),
    /** Confirms everything that waits for the observer. */
    async confirmAll(sessionId: number) {
      for (;;) {
        const claimed = await opened().storage.messages.claim({
          sessionId,
          now: Date.UTC(2027, 0),
          maxCount: 50,
          maxBytes: 1e9,
        });
        if (claimed.length === 0) return;
        const confirm = claimed.map(({ id }) => ({ id, outcome: 'stored' as const }));
        await store().commitReply(reply(sessionId, { confirm }));
      }
    },
  };
}
