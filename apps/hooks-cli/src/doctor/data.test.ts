import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataPaths } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CheckContext } from './check.js';
import { dataDirCheck, databaseCheck } from './data.js';

let dataDir: string;
let database: string;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'claude-mem-doctor-'));
  database = path.join(dataDir, 'claude-mem.db');
  await (await openStorage({ file: database, backupsDir: path.join(dataDir, 'backups') })).close();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const readDatabaseCheck = () =>
  databaseCheck.run({ loaded: { paths: { database, dataDir } } } as unknown as CheckContext);

/** Writes the files that a recovery leaves. */
function quarantine(unreadable: number) {
  writeFileSync(`${database}.corrupt-7`, 'damaged');
  const quarantined = `${database}.corrupt-7`;
  const saved = { saved: 3_000, observations: 2_900, fromBackup: 0, restoredFrom: null };
  writeFileSync(
    `${database}.recovery-7.json`,
    JSON.stringify({
      atEpoch: 7,
      reason: 'a page',
      quarantinedAs: quarantined,
      unreadable,
      isCounted: true,
      ...saved,
    }),
  );
}

it('reports a startup lock folder that belongs to another user', async () => {
  const paths = dataPaths(dataDir);
  chmodSync(dataDir, 0o700);
  const readFolderCheck = () => dataDirCheck.run({ loaded: { paths } } as unknown as CheckContext);
  mkdirSync(paths.startupLock);
  expect(await readFolderCheck()).toMatchObject({ state: 'ok' });
  rmSync(paths.startupLock, { recursive: true });
  symlinkSync(path.join(dataDir, 'nowhere'), paths.startupLock);
  expect(await readFolderCheck()).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('Hooks may fail to start the worker') as string,
  });
});

it('passes when no damaged database is kept', async () => {
  expect(await readDatabaseCheck()).toEqual({ state: 'ok', detail: '0 observations, check passed' });
});

it('advises to keep a damaged database when records could not be read', async () => {
  quarantine(12);
  expect(await readDatabaseCheck()).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/3000 records were saved.*12 could not be read/) as string,
    fix: expect.stringMatching(/^Keep .*corrupt-7/) as string,
  });
});

it('allows deleting a damaged database when all records were saved', async () => {
  quarantine(0);
  expect(await readDatabaseCheck()).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('everything was saved') as string,
    fix: expect.stringContaining('You can delete') as string,
  });
});

it('names the import command when the content of a damaged database is unknown', async () => {
  writeFileSync(`${database}.corrupt-7`, 'damaged');
  expect(await readDatabaseCheck()).toMatchObject({
    state: 'warn',
    fix: expect.stringMatching(/^Keep the file until you have checked it.*claude-mem import/) as string,
  });
});
