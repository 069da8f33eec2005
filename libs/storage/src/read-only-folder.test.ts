import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { inLockedFolder } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import { createTestFolder, openTestStorage } from './__fixtures__/open-test-storage.js';
import { openStorageReader } from './open-storage-reader.js';

describe.skipIf(process.platform === 'win32')('B164: reading a database in a read-only folder', () => {
  it('uses a copy and leaves no file behind', async () => {
    await using test = await openTestStorage();
    await test.storage.store.capture([createEvents().prompt('one')]);
    await test.storage.close();
    using temporary = createTestFolder();
    const temporaryFolder = temporary.folder;
    chmodSync(temporaryFolder, 0o777);
    const before = readdirSync(test.place.folder);
    await inLockedFolder(test.place.folder, async () => {
      await using reader = openStorageReader({ ...test.place, temporaryFolder });
      expect((await reader.store.stats()).prompts).toBe(1);
      expect(reader.searchTables.state()).toMatchObject({ indexed: 1, total: 1 });
      expect(readdirSync(temporaryFolder)).toEqual([]);
    });
    expect(readdirSync(test.place.folder)).toEqual(before);
  });

  it.each([[['', '-wal']], [['', '-wal', '-shm']]])(
    'includes the data in the files %j of a killed writer',
    async (sides) => {
      await using test = await openTestStorage();
      await test.storage.store.capture([createEvents().prompt('one')]);
      using left = createTestFolder();
      for (const side of sides) {
        copyFileSync(test.place.file + side, left.file + side);
        chmodSync(left.file + side, 0o444);
      }
      await inLockedFolder(left.folder, async () => {
        await using reader = openStorageReader(left);
        expect((await reader.store.stats()).prompts).toBe(1);
      });
    },
  );

  it('reports the reader as outdated when the database was written later', async () => {
    await using test = await openTestStorage();
    await test.storage.close();
    await using reader = await inLockedFolder(test.place.folder, () => openStorageReader(test.place));
    expect(reader.isOutdated()).toBe(false);
    await using again = await openTestStorage({ file: test.place.file, backupsDir: test.place.backupsDir });
    await again.storage.store.capture([createEvents().prompt('one')]);
    expect(reader.isOutdated()).toBe(true);
  });

  it('names the possible fixes when a copy cannot be created either', async () => {
    await using test = await openTestStorage();
    await test.storage.close();
    const open = () => openStorageReader({ ...test.place, temporaryFolder: '/nowhere' });
    await expect(inLockedFolder(test.place.folder, open)).rejects.toMatchObject({
      code: 'storage/unreadable',
      message: expect.stringMatching(/write access to the folder, or set TMPDIR to a folder with \d+ MiB/),
    });
  });
});
