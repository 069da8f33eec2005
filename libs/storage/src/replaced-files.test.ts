import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { noopLogger } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import {
  openTestStorage,
  tamperWith,
  type TestFolder,
  type TestStorage,
} from './__fixtures__/open-test-storage.js';
import { openStorage, openStorageReader } from './index.js';
import { listBackups } from './recovery/backups.js';
import { StorageError } from './storage-error.js';

let test: TestStorage;
let older: string;
beforeEach(async () => {
  test = await openTestStorage();
  older = `${test.place.file}.older`;
  await capture('one');
  tamperWith(test.place.file, (database) => database.exec(`VACUUM INTO '${older}'`));
  await capture('two');
});
afterEach(() => test.dispose());

/** Stores a prompt. Retries after temporary errors, as the spool does. */
async function capture(text: string): Promise<void> {
  const event = createEvents('session').prompt(text, { dedupeKey: text });
  for (;;)
    try {
      await test.storage.store.capture([event]);
      return;
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'storage/busy') throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

const promptsIn = (file: string) =>
  tamperWith(file, (database) =>
    database.prepare('SELECT prompt_text FROM user_prompts ORDER BY id').pluck().all(),
  );

const replaceByOlder = ({ file }: TestFolder) => {
  copyFileSync(older, `${file}.copy`);
  renameSync(`${file}.copy`, file);
};
const removeSides = ({ file }: TestFolder) => {
  for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
};

const REPLACEMENTS: Record<string, { change: (place: TestFolder) => void; kept: string[] }> = {
  removed: { change: ({ file }) => rmSync(file), kept: [] },
  'removed with its log': {
    change: (place) => {
      rmSync(place.file);
      removeSides(place);
    },
    kept: [],
  },
  'replaced by an older copy': { change: replaceByOlder, kept: ['one'] },
  'replaced by an older copy and its log removed': {
    change: (place) => {
      replaceByOlder(place);
      removeSides(place);
    },
    kept: ['one'],
  },
};

describe.skipIf(process.platform === 'win32')(
  'a database that another program changes while it is open',
  () => {
    it.each(Object.entries(REPLACEMENTS))(
      'R23: keeps every later event and saves the former content when the database is %s',
      async (_, { change, kept }) => {
        change(test.place);
        await capture('three');
        await capture('four');

        const [diagnostic] = test.storage.health().diagnostics;
        expect(diagnostic).toMatchObject({ code: 'database-replaced', severity: 'warning' });
        const [backup] = listBackups(test.place.backupsDir);
        expect(diagnostic?.message).toContain(backup?.file);
        expect(promptsIn(backup!.file)).toEqual(['one', 'two']);
        await test.storage.close();
        expect(promptsIn(test.place.file)).toEqual([...kept, 'three', 'four']);
        await using again = await openStorage(test.place);
        expect(again.health().status).toBe('ok');
      },
    );

    it('keeps every event when only the log is removed and a reader is open', async () => {
      await using reader = openStorageReader(test.place);
      await reader.messages.counts();
      removeSides(test.place);
      await capture('three');
      expect(test.storage.health().diagnostics).toMatchObject([
        { code: 'database-replaced', severity: 'info' },
      ]);
      await test.storage.close();
      expect(promptsIn(test.place.file)).toEqual(['one', 'two', 'three']);
    });

    it('R23: rejects an event when the database is removed while the event is stored', async () => {
      const stored = test.storage.store.capture([
        createEvents('session').prompt('three', { dedupeKey: 'three' }),
      ]);
      rmSync(test.place.file);
      await expect(stored).rejects.toMatchObject({ code: 'storage/busy' });
      await capture('three');
      await test.storage.close();
      expect(promptsIn(test.place.file)).toEqual(['three']);
    });

    it('R23: reports a foreign database at its path and continues when a valid database replaces it', async () => {
      const foreign = `${test.place.file}.foreign`;
      tamperWith(foreign, (database) => database.exec('CREATE TABLE notes (text TEXT)'));
      renameSync(foreign, test.place.file);
      for (let round = 0; round < 2; round += 1)
        await expect(capture('three')).rejects.toMatchObject({ code: 'storage/foreign-file' });
      expect(test.storage.health()).toMatchObject({ status: 'failed' });
      replaceByOlder(test.place);
      await capture('three');
      expect(test.storage.health()).toMatchObject({ status: 'ok' });
      const [backup] = listBackups(test.place.backupsDir);
      expect(promptsIn(backup!.file)).toEqual(['one', 'two']);
      await test.storage.close();
      expect(promptsIn(test.place.file)).toEqual(['one', 'three']);
    });

    it('R01: keeps every later event when the database is replaced while it is opened', async () => {
      const change = () => {
        replaceByOlder(test.place);
        removeSides(test.place);
      };
      // Logs that the database was not closed, after the file was opened.
      const logger = { ...noopLogger, info: change };
      await using second = await openStorage({ ...test.place, logger });
      const three = [createEvents('session').prompt('three', { dedupeKey: 'three' })];
      await expect(
        second.store.capture(three).catch(() => second.store.capture(three)),
      ).resolves.toBeDefined();
      await second.close();
      expect(promptsIn(test.place.file)).toEqual(['one', 'three']);
    });

    it('keeps every later event when a database with a rollback journal is replaced', async () => {
      const shared = { folder: test.place.folder, file: `${test.place.folder}/shared.db` };
      await using storage = await openStorage({ ...test.place, ...shared, fileSystemType: 0x6969 });
      const { prompt } = createEvents('session');
      await storage.store.capture([prompt('former')]);
      copyFileSync(older, `${shared.file}.copy`);
      renameSync(`${shared.file}.copy`, shared.file);
      await storage.store.capture([prompt('later')]);
      expect(storage.health().diagnostics).toContainEqual(
        expect.objectContaining({ code: 'database-replaced' }),
      );
      expect(promptsIn(listBackups(test.place.backupsDir)[0]!.file)).toEqual(['former']);
      await storage.close();
      expect(promptsIn(shared.file)).toEqual(['one', 'later']);
    });

    it('rejects events while its folder is moved away and continues when the folder is back', async () => {
      const { folder } = test.place;
      renameSync(folder, `${folder}.away`);
      await expect(
        test.storage.store.capture([createEvents('session').prompt('three')]),
      ).rejects.toMatchObject({
        code: 'storage/unreadable',
      });
      renameSync(`${folder}.away`, folder);
      await capture('four');
      await test.storage.close();
      expect(promptsIn(test.place.file)).toEqual(['one', 'two', 'four']);
    });
  },
);

it('R23: is healthy again when the folder was moved away and back', async () => {
  const folder = dirname(test.place.file);
  renameSync(folder, `${folder}.away`);
  await expect(test.storage.store.listObservations()).rejects.toThrow();
  expect(test.storage.health().status).toBe('failed');
  renameSync(`${folder}.away`, folder);
  await capture('three');
  expect(test.storage.health().status).toBe('ok');
  expect(promptsIn(test.place.file)).toEqual(['one', 'two', 'three']);
});
