import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeFile } from './change-file.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'change-file-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeFixture = (name: string, { age = 0 } = {}) => {
  const path = join(folder, name);
  writeFileSync(path, 'mine\n');
  utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
  return path;
};
const OPTIONS = { clock: systemClock, signal: new AbortController().signal };
const checkFile = (path: string) => changeFile(path, () => undefined, OPTIONS);
/** Appends a claude-mem line. `meanwhile` runs in the first attempt, between reading and writing. */
const append = (path: string, meanwhile: (path: string) => void) => {
  let attempts = 0;
  return () =>
    changeFile(
      path,
      (current) => {
        if ((attempts += 1) === 1) meanwhile(path);
        if (current.kind !== 'text') return undefined;
        return current.text.includes('[ours]') ? undefined : `${current.text}[ours]\n`;
      },
      OPTIONS,
    );
};
const OLD = { age: 3_600 };

it('deletes files of a killed writer at the next call, even when the file does not change', async () => {
  const path = writeFixture('CLAUDE.md');
  writeFixture('.CLAUDE.md.0123456789ab.tmp', { age: 120 });
  writeFixture('.CLAUDE.md.ba9876543210.tmp', { age: 4 });
  writeFixture('.CLAUDE.md.cccccccccccc.tmp', { age: -3_600 });
  writeFixture('.CLAUDE.md.aaaaaaaaaaaa.tmp');
  writeFixture('.OTHER.md.0123456789ab.tmp', { age: 120 });
  expect(await checkFile(path)).toBe('busy');
  expect(readdirSync(folder).sort()).toEqual([
    '.CLAUDE.md.aaaaaaaaaaaa.tmp',
    '.OTHER.md.0123456789ab.tmp',
    'CLAUDE.md',
  ]);
  expect(await checkFile(join(folder, 'gone', 'CLAUDE.md'))).toBe('done');
});

it('reports "busy" when the file was saved in the current millisecond', async () => {
  const path = writeFixture('CLAUDE.md');
  const now = 1_800_000_000_000;
  utimesSync(path, (now + 0.6) / 1000, (now + 0.6) / 1000);
  const clock = { ...systemClock, now: () => now };
  expect(await changeFile(path, () => 'ours\n', { ...OPTIONS, clock })).toBe('busy');
});

it.each([
  ['adds a line', (path: string) => appendFileSync(path, 'more\n'), 'mine\nmore\n[ours]\n'],
  ['replaces it', (path: string) => writeFileSync(path, 'new\n'), 'new\n[ours]\n'],
  [
    'renames another over it',
    (path: string) => {
      writeFileSync(`${path}~`, 'other\n');
      renameSync(`${path}~`, path);
    },
    'other\n[ours]\n',
  ],
])('B157: keeps both texts when a user %s between reading and writing', async (_, edit, text) => {
  const path = writeFixture('CLAUDE.md', OLD);
  const change = append(path, edit);
  expect(await change()).toBe('busy');
  utimesSync(path, 1, 1);
  expect(await change()).toBe('done');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('B157: restores the text of an editor that writes to the replaced file', async () => {
  const path = writeFixture('CLAUDE.md', OLD);
  const editor = openSync(path, 'r+');
  const changing = append(path, () => {})();
  // the editor still has the replaced file open
  ftruncateSync(editor);
  await systemClock.sleep(200);
  writeSync(editor, 'mine, and more\n', 0);
  closeSync(editor);
  expect(await changing).toBe('busy');
  expect(readFileSync(path, 'utf8')).toBe('mine, and more\n');
});

it('overwrites its own recent write immediately, but not the recent write of a user', async () => {
  const path = join(folder, 'CLAUDE.md');
  const options = { ...OPTIONS, ownWrites: new Map() };
  const set = (text: string) => changeFile(path, () => text, options);
  expect([await set('one'), await set('two'), await set('three')]).toEqual(['done', 'done', 'done']);
  writeFileSync(path, 'mine');
  expect([await set('four'), readFileSync(path, 'utf8')]).toEqual(['busy', 'mine']);
});

describe('a file that is replaced between reading and writing', () => {
  it('is not created again when it was deleted', async () => {
    const path = writeFixture('CLAUDE.md', OLD);
    expect([await append(path, rmSync)(), existsSync(path)]).toEqual(['done', false]);
  });

  it.skipIf(process.platform === 'win32')('is kept without waiting when it is a named pipe', async () => {
    const path = writeFixture('CLAUDE.md', OLD);
    const change = append(path, () => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    });
    expect([await change(), statSync(path).isFIFO()]).toEqual(['done', true]);
  });

  it('is kept when it is a link, and its target is neither read nor changed', async () => {
    const path = writeFixture('CLAUDE.md', OLD);
    const change = append(path, () => {
      rmSync(path);
      symlinkSync(writeFixture('other'), path);
    });
    expect([await change(), readFileSync(path, 'utf8')]).toEqual(['done', 'mine\n']);
  });
});
