import { readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { createTestFolder, openTestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';
import { loadDriver } from '../database/driver.js';
import { MIGRATIONS } from '../migrations/index.js';
import { openStorageReader } from '../open-storage-reader.js';
import { openStorage, openStorageWith } from '../open-storage.js';

const DERIVED =
  'counters index_outbox observations_fts search_documents search_pending search_postings search_removals search_state search_terms search_unfolded vectors';

describe('a table that another connection removed from an open database', () => {
  it.each([...DERIVED.split(' '), 'index_outbox, search_state'])(
    'is recreated without losing a record when it contains derived data: %s',
    async (tables) => {
      await using test = await openTestStorage();
      const { storage } = test;
      const { prompt } = createEvents();
      for (const text of ['zebra', 'zebra again']) await storage.store.capture([prompt(text, { text })]);
      test.tamper((database) => {
        for (const table of tables.split(', ')) database.exec(`DROP TABLE ${table}`);
      });
      await storage.store.capture([prompt('three', { text: 'zebra three' })]);
      await storage.vectors.useTarget('a model');
      await storage.index.rebuild();
      await storage.backup();
      await storage.maintain();
      expect((await storage.store.listPrompts()).items).toHaveLength(3);
      expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(3);
      const { recoveries, notices } = storage.health();
      expect(recoveries).toEqual([]);
      expect(notices.join()).toMatch(/schema was repaired: .*again/);
    },
  );

  it('is reported as a schema mismatch when it contains records', async () => {
    await using test = await openTestStorage();
    test.tamper((database) => database.exec('DROP TABLE event_ledger'));
    const { prompt } = createEvents();
    await expect(test.storage.store.capture([prompt('one')])).rejects.toMatchObject({
      code: 'storage/schema-mismatch',
      message: expect.stringContaining('event_ledger'),
    });
    expect(test.storage.health().recoveries).toEqual([]);
  });
});

it('restores records to the index on opening when another connection removed them', async () => {
  await using test = await openTestStorage();
  const { prompt } = createEvents();
  for (const text of ['zebra', 'zebra again', 'zebra three'])
    await test.storage.store.capture([prompt(text, { text })]);
  await test.storage.close();
  test.tamper((database) => database.exec('DELETE FROM search_documents WHERE id < 3'));
  const documents = () =>
    test.tamper((database) => database.prepare('SELECT count(*) FROM search_documents').pluck().get());
  expect(documents()).toBe(1);
  await using again = await openStorage(test.place);
  expect(documents()).toBe(3);
  expect(await again.index.state()).toEqual({ indexed: 3, total: 3 });
  expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(3);
});

it('keeps the database when a new backup is damaged while it is written', async () => {
  using place = createTestFolder();
  const driver = loadDriver();
  let isBroken = true;
  const damagingDriver: typeof driver = {
    ...driver,
    open: (file, options) => {
      if (isBroken && file.includes('.tmp')) writeFileSync(file, 'cut off');
      return driver.open(isBroken && file.includes('.tmp') ? ':memory:' : file, options);
    },
  };
  await using storage = await openStorageWith({ driver: damagingDriver, migrations: MIGRATIONS }, place);
  await storage.store.capture([createEvents().prompt('one')]);
  await expect(storage.backup()).rejects.toMatchObject({ code: 'storage/write-failed' });
  expect(storage.health().recoveries).toEqual([]);
  expect((await storage.store.listPrompts()).items).toHaveLength(1);
  isBroken = false;
  await storage.backup();
  expect(readdirSync(place.backupsDir)).toHaveLength(1);
});

it.each(['search_postings', 'observations_fts', 'vectors'])(
  'reports a missing table %s to a reader, and recreates the table when the index is repaired',
  async (table) => {
    await using test = await openTestStorage();
    const { prompt } = createEvents();
    await test.storage.store.capture([prompt('one', { text: 'zebra' })]);
    test.tamper((database) => database.exec(`DROP TABLE ${table}`));
    const readTables = () => openStorageReader(test.place).searchTables;
    expect(readTables).toThrow(
      expect.objectContaining({ code: 'storage/schema-mismatch', message: expect.stringContaining(table) }),
    );
    expect(await test.storage.index.repair()).toBe(true);
    expect(readTables).not.toThrow();
    await test.storage.index.step({ foldAt: 1 });
    expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(1);
    expect(test.storage.health().recoveries).toEqual([]);
  },
);

it('recreates a removed trigger and index during maintenance, and counts what the trigger missed', async () => {
  await using test = await openTestStorage();
  const [first] = await test.storage.store.capture([createEvents().prompt('one')]);
  test.tamper((database) =>
    database.exec('DROP TRIGGER observations_counted_in; DROP INDEX observations_created'),
  );
  await test.storage.store.commitReply(reply(first!.sessionId, { observations: [draft()] }));
  expect((await test.storage.store.stats()).observations).toBe(0);
  await test.storage.maintain();
  expect((await test.storage.store.stats()).observations).toBe(1);
  expect(test.storage.health().notices.join()).toMatch(/created the index .*created the trigger/);
});
