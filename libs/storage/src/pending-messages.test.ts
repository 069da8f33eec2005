import { describePendingMessages, seedThroughStore } from '@claude-mem/core/testing';
import { openTestStorage } from './__fixtures__/open-test-storage.js';

describePendingMessages('SQLite', {
  async open() {
    const { storage, dispose } = await openTestStorage();
    return { messages: storage.messages, ...seedThroughStore(storage.store), close: dispose };
  },
});
