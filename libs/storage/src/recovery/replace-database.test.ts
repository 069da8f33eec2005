import { existsSync, linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestFolder, type TestFolder } from '../__fixtures__/open-test-storage.js';
import type { Recovery } from './quarantined-databases.js';
import { finishRecovery, replaceDatabase, unfinishedName } from './replace-database.js';

let place: TestFolder;
beforeEach(() => {
  place = createTestFolder();
});
afterEach(() => place[Symbol.dispose]());

const recoveryOf = (file: string): Recovery => ({
  atEpoch: 1,
  reason: 'a page',
  quarantinedAs: `${file}.corrupt-1`,
  saved: 1,
  observations: 1,
  fromBackup: 0,
  unreadable: 0,
  isCounted: true,
  restoredFrom: null,
});

function write(file: string) {
  writeFileSync(file, 'old');
  writeFileSync(`${file}-wal`, 'old log');
  writeFileSync(`${file}-shm`, 'shared');
}

const DONE = {
  'claude-mem.db': 'new',
  'claude-mem.db.corrupt-1': 'old',
  'claude-mem.db.corrupt-1-wal': 'old log',
  'claude-mem.db.recovery-1.json': expect.stringContaining('a page'),
};
const contents = () =>
  Object.fromEntries(
    readdirSync(place.folder).map((name) => [name, readFileSync(`${place.folder}/${name}`, 'utf8')]),
  );

it('keeps the damaged file with its log and a report of the recovery', () => {
  write(place.file);
  writeFileSync(unfinishedName(place.file), 'new');
  replaceDatabase(place.file, recoveryOf(place.file));
  expect(contents()).toEqual(DONE);
});

const STEPS: readonly (readonly [string, (file: string) => void])[] = [
  ['is named', () => undefined],
  ['has two names', (file) => linkSync(file, `${file}.corrupt-1`)],
  ['has another name', (file) => renameSync(file, `${file}.corrupt-1`)],
  ['is without its log', (file) => renameSync(`${file}-wal`, `${file}.corrupt-1-wal`)],
  ['is without what else lay beside it', (file) => rmSync(`${file}-shm`)],
];

it.each(STEPS.map(([name], index) => [name, index] as const))(
  'completes a recovery that was killed when the damaged file %s',
  (_, index) => {
    const { file } = place;
    write(file);
    writeFileSync(`${file}.recovered`, 'new');
    writeFileSync(`${file}.recovered.json`, JSON.stringify(recoveryOf(file)));
    const isMoved = index === 2;
    for (const [number, [, step]] of STEPS.entries())
      if (number <= index && !(isMoved ? number === 1 : number === 2)) step(file);
    finishRecovery(file);
    expect(contents()).toEqual(DONE);
    finishRecovery(file);
    expect(contents()).toEqual(DONE);
  },
);

it('keeps the old database when the recovery was killed before the new one was complete', () => {
  write(place.file);
  writeFileSync(unfinishedName(place.file), 'half');
  writeFileSync(`${unfinishedName(place.file)}-base`, 'half');
  writeFileSync(`${place.file}.recovered.json`, JSON.stringify(recoveryOf(place.file)));
  finishRecovery(place.file);
  expect(readFileSync(place.file, 'utf8')).toBe('old');
  expect(existsSync(unfinishedName(place.file))).toBe(false);
  expect(readFileSync(`${place.file}-wal`, 'utf8')).toBe('old log');
});
