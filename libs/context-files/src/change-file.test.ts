import { mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@claude-mem/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeFile } from './change-file.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'change-file-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, { age = 0 } = {}) => {
  const path = join(folder, name);
  writeFileSync(path, 'mine\n');
  utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
  return path;
};
const look = (path: string) =>
  changeFile(path, () => undefined, { clock: systemClock, signal: AbortSignal.timeout(10_000) });

it('what a writer that was killed left beside a file goes with the next look, also when nothing changes', async () => {
  const path = put('CLAUDE.md');
  put('.CLAUDE.md.0123456789ab.tmp', { age: 120 });
  put('.CLAUDE.md.ba9876543210.tmp', { age: 4 });
  put('.CLAUDE.md.cccccccccccc.tmp', { age: -3_600 });
  put('.CLAUDE.md.aaaaaaaaaaaa.tmp');
  put('.OTHER.md.0123456789ab.tmp', { age: 120 });
  expect(await look(path)).toBe('busy');
  expect(readdirSync(folder).sort()).toEqual([
    '.CLAUDE.md.aaaaaaaaaaaa.tmp',
    '.OTHER.md.0123456789ab.tmp',
    'CLAUDE.md',
  ]);
  expect(await look(join(folder, 'gone', 'CLAUDE.md'))).toBe('done');
});

it('a file that was saved in this very millisecond is being saved', async () => {
  const path = put('CLAUDE.md');
  const now = 1_800_000_000_000;
  utimesSync(path, (now + 0.6) / 1000, (now + 0.6) / 1000);
  const clock = { ...systemClock, now: () => now };
  expect(await changeFile(path, () => 'ours\n', { clock, signal: AbortSignal.timeout(10_000) })).toBe('busy');
});
