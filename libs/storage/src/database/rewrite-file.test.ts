import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTestFolder } from '../__fixtures__/open-test-storage.js';
import { loadDriver } from './driver.js';
import { rewriteFile } from './rewrite-file.js';

it('does not begin what would fill the disk', async () => {
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
