import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTestFolder } from '../__fixtures__/open-test-storage.js';
import { loadDriver } from './driver.js';
import { AUTOCHECKPOINT_PAGES, BUSY_TIMEOUT_MS } from './open-connection.js';
import { rewriteFile } from './rewrite-file.js';

it('rejects a rewrite and leaves the file unchanged when the disk has too little free space', async () => {
  using place = createTestFolder();
  const { file } = place;
  const driver = loadDriver();
  const database = driver.open(file, {});
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE filler (text TEXT)');
  database
    .prepare(
      `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n LIMIT 2000)
      INSERT INTO filler SELECT hex(randomblob(500)) FROM n`,
    )
    .run();
  database.exec('DELETE FROM filler WHERE rowid > 20');
  database.pragma('wal_checkpoint(TRUNCATE)');
  const before = statSync(file).size;
  const live = before - (database.pragma('freelist_count', { simple: true }) as number) * 4096;
  const { signal } = new AbortController();
  const rewrite = (freeBytes: number) =>
    rewriteFile({ driver, database, journalMode: 'wal' }, { signal, freeBytes: () => freeBytes });
  await expect(rewrite(2 * live - 1)).rejects.toMatchObject({ code: 'storage/write-failed' });
  expect(statSync(file).size).toBe(before);
  expect(await rewrite(2 * live)).toBe(true);
  expect(statSync(file).size).toBeLessThan(before);
  database.close();
});

it('waits for a running write, answers reads meanwhile, and rejects further writes at once', async () => {
  using place = createTestFolder();
  const driver = loadDriver();
  const database = driver.open(place.file, { timeout: BUSY_TIMEOUT_MS });
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE words (text TEXT)');
  const other = driver.open(place.file, {});
  other.exec('BEGIN IMMEDIATE');
  const { signal } = new AbortController();
  const rewriting = rewriteFile({ driver, database, journalMode: 'wal' }, { signal });
  expect(() => database.exec(`INSERT INTO words VALUES ('a')`)).toThrow('locked');
  expect(database.prepare('SELECT count(*) FROM words').pluck().get()).toBe(0);
  expect(database.pragma('busy_timeout', { simple: true })).toBe(0);
  other.exec('COMMIT');
  expect(await rewriting).toBe(true);
  expect(database.pragma('busy_timeout', { simple: true })).toBe(BUSY_TIMEOUT_MS);
  expect(database.pragma('wal_autocheckpoint', { simple: true })).toBe(AUTOCHECKPOINT_PAGES);
  other.close();
  database.close();
});
