import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import { openTestStorage, type TestStorage } from './__fixtures__/open-test-storage.js';
import { openStorage } from './index.js';
import { openStorageReader } from './open-storage-reader.js';
import type { Storage } from './storage.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const PYTHON = 'python3';
const hasPython = spawnSync(PYTHON, ['-c', 'import sqlite3']).status === 0;

/** Opens the database in Python, which removes the write-ahead log when it assumes that no other process uses it. */
function countPromptsInPython(): number {
  const program = `
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute('SELECT count(*) FROM user_prompts').fetchone()[0])
connection.close()`;
  return Number(execFileSync(PYTHON, ['-c', program, test.place.file], { encoding: 'utf8' }));
}

/** Returns the locks of this process on the database file, from /proc. */
function countLocks(): number {
  const { ino } = statSync(test.place.file);
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
}

const OPERATIONS: Record<string, (storage: Storage) => Promise<unknown>> = {
  'a reader is opened and closed': async () => {
    const reader = openStorageReader(test.place);
    await reader.messages.counts();
    await reader.close();
  },
  'the same process opens the database a second time': async () => {
    await (await openStorage(test.place)).close();
  },
  'a backup is written': (storage) => storage.backup(),
  'the database is maintained': (storage) => storage.maintain(),
  'the health is read': async (storage) => storage.health(),
  'deleted records are erased from the file': (storage) => storage.store.eraseForgotten(),
  'events are stored': (storage) => storage.store.capture([createEvents('more').toolUse()]),
};

describe.each(Object.entries(OPERATIONS))('when %s', (_, operate) => {
  it.skipIf(process.platform !== 'linux')('R01: keeps the lock on the database file', async () => {
    expect(countLocks()).toBeGreaterThan(0);
    await operate(test.storage);
    expect(countLocks()).toBeGreaterThan(0);
  });

  it.skipIf(!hasPython)('R01: keeps every later row when Python opens and closes the database', async () => {
    const { prompt } = createEvents('outside');
    await test.storage.store.capture([prompt('before')]);
    await operate(test.storage);
    expect(countPromptsInPython()).toBe(1);
    await test.storage.store.capture([prompt('after')]);
    expect(existsSync(`${test.place.file}-wal`)).toBe(true);
    expect(countPromptsInPython()).toBe(2);
  });
});
