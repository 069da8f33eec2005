import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publishSpooled, removeSpooled } from './spooled-file.js';

const warnings: string[] = [];
const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
let folder: string;
let spoolDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
  spoolDir = join(folder, 'spool');
  mkdirSync(spoolDir);
  warnings.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (run: typeof removeSpooled, eventId: string) =>
  run({ spoolDir, log }, { host: 'claude-code', event: 'Stop', eventId });
const remove = (eventId: string) => call(removeSpooled, eventId);

it('removes only the file of the named event', () => {
  const paths = ['a', 'b'].map((id) => join(spoolDir, `claude-code.Stop.${id}.tmp`));
  for (const path of paths) writeFileSync(path, '{}');
  remove('a');
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
});

it('renames the temporary file of an event so that the spool reads it', () => {
  const path = join(spoolDir, 'claude-code.Stop.a.tmp');
  writeFileSync(path, '{}');
  call(publishSpooled, 'a');
  expect(readdirSync(spoolDir)).toEqual(['claude-code.Stop.a.json']);
});

it.each([removeSpooled, publishSpooled])('$name does nothing when the hook has renamed the file', (run) => {
  call(run, 'gone');
  expect(warnings).toEqual([]);
});

it('B055: removes no file outside of the spool when an event id contains a path', () => {
  const outside = join(folder, 'precious.tmp');
  writeFileSync(outside, 'x');
  mkdirSync(join(spoolDir, 'claude-code.Stop.'), { recursive: true });
  remove('/../../precious');
  expect(existsSync(outside)).toBe(true);
});

it('logs a warning when the file cannot be removed', () => {
  mkdirSync(join(spoolDir, 'claude-code.Stop.folder.tmp'));
  remove('folder');
  expect(warnings).toHaveLength(1);
});
