import { processorTime } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage } from '../__fixtures__/open-test-storage.js';

it('finds the pending turns of a long queue in under one second when query statistics date from a short queue', async () => {
  const test = await openTestStorage();
  try {
    const { prompt, toolUse } = createEvents();
    await test.storage.store.capture([prompt('one'), toolUse()]);
    await test.storage.maintain();
    for (let batch = 0; batch < 10; batch += 1)
      await test.storage.store.capture(Array.from({ length: 500 }, () => toolUse()));
    const spent = processorTime();
    expect(await test.storage.messages.waitingTurns()).toMatchObject([{ count: 5_001 }]);
    // An efficient query takes some milliseconds. Reading the complete queue for each message would take many seconds.
    expect(spent()).toBeLessThan(1_000);
  } finally {
    await test.dispose();
  }
});
