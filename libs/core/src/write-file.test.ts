import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFileAtomically } from './write-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('creates the file and its folders for the owner only', () => {
  const file = join(folder, 'a', 'b', 'x.json');
  writeFileAtomically(file, 'é');
  expect(readFileSync(file, 'utf8')).toBe('é');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
});

it('keeps the permissions of an existing file unless a mode is forced', () => {
  const file = join(folder, 'x');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  writeFileAtomically(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o666);
  writeFileAtomically(file, 'new', { mode: 0o600, forceMode: true });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.runIf(process.getuid?.() === 0)('keeps the owner of a file that root replaces', () => {
  const file = join(folder, 'x');
  writeFileSync(file, 'old');
  chownSync(file, 1234, 2345);
  chmodSync(file, 0o600);
  writeFileAtomically(file, 'new');
  const { uid, gid, mode } = statSync(file);
  expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1234, gid: 2345, mode: 0o600 });
});

it('S04: replaces a symlink itself when requested', () => {
  const [link, target] = [join(folder, 'link'), join(folder, 'profile')];
  for (const content of ['theirs', null]) {
    if (content !== null) writeFileSync(target, content, { mode: 0o755 });
    else rmSync(target);
    symlinkSync(target, link);
    writeFileAtomically(link, 'own', { replaceLink: true });
    expect(lstatSync(link).isFile()).toBe(true);
    expect(lstatSync(link).mode & 0o777).toBe(0o600);
    expect(readFileSync(link, 'utf8')).toBe('own');
    if (content !== null) expect(readFileSync(target, 'utf8')).toBe(content);
    else expect(existsSync(target)).toBe(false);
    rmSync(link);
  }
});

it('follows a symlink to a file that does not exist yet', () => {
  const link = join(folder, 'link');
  symlinkSync('real', link);
  writeFileAtomically(link, '1');
  writeFileAtomically(link, '2');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('2');
});

it('keeps the old file and leaves no temporary file when it cannot replace it', () => {
  const target = join(folder, 'taken');
  writeFileAtomically(join(target, 'inside'), 'x');
  expect(() => writeFileAtomically(target, 'y')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

it('removes only the file that a killed writer left a minute ago', () => {
  const put = (name: string, time: number) => {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), time, time);
  };
  const now = Date.now() / 1_000;
  put('.x.aaaaaaaaaaaa.tmp', 1);
  put('.x.bbbbbbbbbbbb.tmp', now + 3_600); // the clock was set back since
  put('.x.cccccccccccc.tmp', now);
  put('.x.of-another.tmp', 1);
  put('.y.aaaaaaaaaaaa.tmp', 1);
  mkdirSync(join(folder, '.x.dddddddddddd.tmp'));
  utimesSync(join(folder, '.x.dddddddddddd.tmp'), 1, 1);
  writeFileAtomically(join(folder, 'x'), '');
  expect(readdirSync(folder).sort()).toEqual([
    '.x.cccccccccccc.tmp',
    '.x.dddddddddddd.tmp',
    '.x.of-another.tmp',
    '.y.aaaaaaaaaaaa.tmp',
    'x',
  ]);
});

it('keeps the file, and leaves no other, when the condition is false', () => {
  const file = join(folder, 'x');
  writeFileAtomically(file, 'old');
  expect(writeFileAtomically(file, 'new', { onlyIf: () => false })).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['x']);
  expect(writeFileAtomically(file, 'new', { onlyIf: () => true })).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('new');
});
