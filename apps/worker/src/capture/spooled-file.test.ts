import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WorkerLog } from '../log/create-log.js';
import { createTestHome, type TestHome } from '../testing/start-test-worker.js';
import { keepSpooled, removeSpooled } from './spooled-file.js';

const warnings: string[] = [];
const log: WorkerLog = {
  debug() {},
  info() {},
  warn: (_fields, message) => void warnings.push(message),
  error() {},
  with: () => log,
  isDebug: false,
};
let home: TestHome;
beforeEach(() => {
  home = createTestHome();
  mkdirSync(home.paths.spoolDir, { recursive: true });
  warnings.length = 0;
});
afterEach(() => home[Symbol.dispose]());

const call = (run: typeof removeSpooled, eventId: string) =>
  run({ spoolDir: home.paths.spoolDir, log }, { host: 'claude-code', event: 'Stop', eventId });
const remove = (eventId: string) => call(removeSpooled, eventId);

it('removes the file of one event and no other', () => {
  const paths = ['a', 'b'].map((id) => join(home.paths.spoolDir, `claude-code.Stop.${id}.tmp`));
  for (const path of paths) writeFileSync(path, '{}');
  remove('a');
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
});

it('makes the file of one event visible to the spool', () => {
  const path = join(home.paths.spoolDir, 'claude-code.Stop.a.tmp');
  writeFileSync(path, '{}');
  call(keepSpooled, 'a');
  expect(readdirSync(home.paths.spoolDir)).toEqual(['claude-code.Stop.a.json']);
});

it.each([removeSpooled, keepSpooled])('$name does nothing when the hook has renamed the file', (run) => {
  call(run, 'gone');
  expect(warnings).toEqual([]);
});

it('B055: leaves the spool folder under no name', () => {
  const outside = join(home.paths.dataDir, 'precious.tmp');
  writeFileSync(outside, 'x');
  mkdirSync(join(home.paths.spoolDir, 'claude-code.Stop.'), { recursive: true });
  remove('/../../precious');
  expect(existsSync(outside)).toBe(true);
});

it('says so when the file cannot be removed', () => {
  mkdirSync(join(home.paths.spoolDir, 'claude-code.Stop.folder.tmp'));
  remove('folder');
  expect(warnings).toHaveLength(1);
});
