import { expect, it } from 'vitest';
import { openTestStorage } from '../__fixtures__/open-test-storage.js';
import { draft } from '../__fixtures__/replies.js';

const NOW = Date.UTC(2026, 0, 2);

it('does not merge large parts of the full-text index while records are deleted', async () => {
  const test = await openTestStorage();
  try {
    const { store } = test.storage;
    const records = Array.from({ length: 600 }, (_, number) => ({
      ...draft({ title: `Record ${number}`, narrative: `Words of ${number} `.repeat(20) }),
      uid: `record-${number}`,
      project: '/shop',
      session: 'long',
      promptNumber: 1,
      createdAtEpoch: NOW,
    }));
    await store.importRecords(records, { now: NOW });
    await store.forget({ ids: [600], now: NOW });
    expect(await store.eraseForgotten()).toBe(true);
    const blocks = () =>
      test.tamper((database) => database.prepare('SELECT id FROM observations_fts_data').pluck().all());
    const merged = blocks();
    for (let id = 1; id <= 300; id += 60)
      await store.forget({ ids: Array.from({ length: 60 }, (_, place) => id + place), now: NOW });
    expect(blocks()).toEqual(expect.arrayContaining(merged));
  } finally {
    await test.dispose();
  }
});
