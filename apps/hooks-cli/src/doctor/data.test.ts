import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataPaths } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Examination } from './check.js';
import { dataDirCheck, databaseCheck } from './data.js';

let dataDir: string;
let database: string;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'claude-mem-doctor-'));
  database = path.join(dataDir, 'claude-mem.db');
  await (await openStorage({ file: database, backupsDir: path.join(dataDir, 'backups') })).close();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const look = () => databaseCheck.run({ loaded: { paths: { database, dataDir } } } as unknown as Examination);

/** As a recovery leaves it. */
function keepAside(unreadable: number) {
  writeFileSync(`${database}.corrupt-7`, 'damaged');
  const keptAside = `${database}.corrupt-7`;
  const saved = { saved: 3_000, observations: 2_900, fromBackup: 0, restoredFrom: null };
  writeFileSync(
    `${database}.recovery-7.json`,
    JSON.stringify({ atEpoch: 7, reason: 'a page', keptAside, unreadable, isCounted: true, ...saved }),
  );
}

it('reports a startup lock folder that belongs to another user', async () => {
  const paths = dataPaths(dataDir);
  chmodSync(dataDir, 0o700);
  const lookAtFolder = () => dataDirCheck.run({ loaded: { paths } } as unknown as Examination);
  mkdirSync(paths.startGate);
  expect(await lookAtFolder()).toMatchObject({ state: 'ok' });
  rmSync(paths.startGate, { recursive: true });
  symlinkSync(path.join(dataDir, 'nowhere'), paths.startGate);
  expect(await lookAtFolder()).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('Hooks may fail to start the worker') as string,
  });
});

it('a database without a damaged one beside it is good', async () => {
  expect(await look()).toEqual({ state: 'ok', detail: '0 observations, check passed' });
});

it('the only copy of something is never advised to be removed', async () => {
  keepAside(12);
  expect(await look()).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/3000 records were saved.*12 could not be read/) as string,
    fix: expect.stringMatching(/^Keep .*corrupt-7/) as string,
  });
});

it('a damaged database of which everything was saved may go', async () => {
  keepAside(0);
  expect(await look()).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('everything was saved') as string,
    fix: expect.stringContaining('You can delete') as string,
  });
});

it('of a damaged database about which nothing is known it is said how to see what it holds', async () => {
  writeFileSync(`${database}.corrupt-7`, 'damaged');
  expect(await look()).toMatchObject({
    state: 'warn',
    fix: expect.stringMatching(/^Keep the file until you have checked it.*claude-mem import/) as string,
  });
});
