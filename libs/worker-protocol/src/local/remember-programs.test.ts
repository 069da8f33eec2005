import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rememberPrograms, REQUESTED_DATA_DIR } from './remember-programs.js';

function open() {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'cm-programs-')), `it's "data" $HOME`);
  onTestFinished(() => rmSync(join(dataDir, '..'), { recursive: true }));
  return { dataDir, launcher: join(dataDir, 'bin', 'claude-mem') };
}

it('creates a launcher that runs the command for the data directory, even when paths contain special characters', () => {
  const paths = open();
  const command = join(paths.dataDir, `it's a "command".js`);
  rememberPrograms(paths, { node: process.execPath, command, worker: '/repos/worker/main.js' });
  writeFileSync(
    command,
    `const { CLAUDE_MEM_DATA_DIR, ${REQUESTED_DATA_DIR} } = process.env;
     console.log(JSON.stringify([CLAUDE_MEM_DATA_DIR, ${REQUESTED_DATA_DIR}, ...process.argv.slice(2)]))`,
  );
  const launch = (env: Record<string, string>) =>
    JSON.parse(execFileSync(paths.launcher, ['a b', "it's"], { encoding: 'utf8', env })) as string[];
  expect(launch({})).toEqual([paths.dataDir, '', 'a b', "it's"]);
  expect(launch({ CLAUDE_MEM_DATA_DIR: '/my "other"' })).toEqual([
    paths.dataDir,
    '/my "other"',
    'a b',
    "it's",
  ]);
  expect(readFileSync(join(paths.dataDir, 'node.path'), 'utf8')).toBe(`${process.execPath}\n`);
  expect(readFileSync(join(paths.dataDir, 'worker.path'), 'utf8')).toBe('/repos/worker/main.js\n');
});

it('S04: does not write through a link in the data directory', () => {
  const paths = open();
  const profile = join(paths.dataDir, '..', 'profile');
  writeFileSync(profile, 'theirs');
  mkdirSync(join(paths.dataDir, 'bin'), { recursive: true });
  const written = [paths.launcher, ...['node.path', 'worker.path'].map((name) => join(paths.dataDir, name))];
  for (const file of written) symlinkSync(profile, file);
  rememberPrograms(paths, { node: process.execPath, command: '/x/claude-mem.js', worker: '/x/main.js' });
  expect(readFileSync(profile, 'utf8')).toBe('theirs');
  for (const file of written) expect(lstatSync(file).isFile()).toBe(true);
});

it('writes only changed files, and updates the paths of moved programs', () => {
  const paths = open();
  const programs = { node: process.execPath, command: '/repos/one/claude-mem.js', worker: null };
  rememberPrograms(paths, programs);
  const { ino } = statSync(paths.launcher);
  rememberPrograms(paths, programs);
  expect(statSync(paths.launcher).ino).toBe(ino);
  rememberPrograms(paths, { ...programs, command: '/repos/two/claude-mem.js' });
  expect(readFileSync(paths.launcher, 'utf8')).toContain('/repos/two/claude-mem.js');
  rememberPrograms(paths, { ...programs, command: null });
  expect(readFileSync(paths.launcher, 'utf8')).toContain('/repos/two/claude-mem.js');
});
