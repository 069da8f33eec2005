import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import { createTestFolder, openTestStorage, tamperWith } from './__fixtures__/open-test-storage.js';
import { draft, reply } from './__fixtures__/replies.js';
import { loadDriver } from './database/driver.js';
import { MIGRATIONS } from './migrations/index.js';
import { migrate } from './migrations/migrate.js';
import { openStorageReader } from './open-storage-reader.js';

it('B164: answers 20 times and writes nothing while another connection holds the write lock', async () => {
  await using test = await openTestStorage();
  const [first] = await test.storage.store.capture([
    createEvents().prompt('one'),
    createEvents('b').toolUse(),
  ]);
  await test.storage.store.commitReply(reply(first!.sessionId, { observations: [draft()] }));
  const hashes = () =>
    ['', '-wal'].map((side) =>
      createHash('sha256')
        .update(readFileSync(test.place.file + side))
        .digest('hex'),
    );
  const writer = loadDriver().open(test.place.file, {});
  writer.exec('BEGIN IMMEDIATE');
  const before = hashes();
  for (let count = 0; count < 20; count += 1) {
    await using reader = openStorageReader(test.place);
    const request = { projectId: first!.projectId, observations: 5, summaries: 5 };
    expect((await reader.store.contextMaterial(request)).observations).toHaveLength(1);
    expect(reader.searchTables.state()).toMatchObject({ indexed: 2, total: 2 });
    expect(await reader.messages.counts()).toMatchObject({ pending: 1 });
    expect(await reader.messages.list()).toHaveLength(1);
  }
  expect(hashes()).toEqual(before);
  writer.exec('ROLLBACK');
  writer.close();
});

it('B164: reads a database that no process has open', async () => {
  using place = createTestFolder();
  await using test = await openTestStorage({ file: place.file, backupsDir: place.backupsDir });
  await test.storage.store.capture([createEvents().prompt('one')]);
  await test.storage.close();
  const before = createHash('sha256').update(readFileSync(place.file)).digest('hex');
  {
    await using reader = openStorageReader(place);
    expect((await reader.store.stats()).prompts).toBe(1);
  }
  expect(createHash('sha256').update(readFileSync(place.file)).digest('hex')).toBe(before);
});

it('reports storage/unreadable when a folder exists at the path of the database', () => {
  using place = createTestFolder();
  mkdirSync(place.file);
  expect(() => openStorageReader(place)).toThrow(
    expect.objectContaining({
      code: 'storage/unreadable',
      message: expect.stringContaining(`${place.file} cannot be read (EISDIR)`) as string,
    }),
  );
});

it('reports a missing database and a schema that is too old to read', () => {
  using place = createTestFolder();
  expect(() => openStorageReader(place)).toThrow(expect.objectContaining({ code: 'storage/unreadable' }));
  tamperWith(place.file, (database) => migrate(database, place.file, MIGRATIONS.slice(0, 2), 0));
  expect(() => openStorageReader(place)).toThrow(
    expect.objectContaining({ code: 'storage/schema-mismatch' }),
  );
});
