import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGit } from './create-git.js';

let base: string;
let victim: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'pipe' });

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cm-git-')));
  victim = join(base, 'victim');
  mkdirSync(victim);
  git(victim, 'init', '-q');
  git(victim, 'commit', '-q', '--allow-empty', '-m', 'Begin');
});
afterEach(() => rmSync(base, { recursive: true }));

const run = (folder: string, args: readonly string[]) =>
  createGit({ searchPath: process.env['PATH'] ?? '', home: base })(folder, args, {
    signal: AbortSignal.timeout(60_000),
  });
const findExcludeFile = (folder: string) => run(folder, ['rev-parse', '--git-path', 'info/exclude']);

it('git runs in a repository and in its worktree', async () => {
  git(victim, 'worktree', 'add', '-q', join(base, 'tree'));
  expect(await findExcludeFile(victim)).toEqual({ exitCode: 0, stdout: '.git/info/exclude\n' });
  expect(await findExcludeFile(join(base, 'tree'))).toMatchObject({
    exitCode: 0,
    stdout: `${victim}/.git/info/exclude\n`,
  });
});

it('git returns null when an argument is too long for the system', async () => {
  expect(await run(victim, ['ls-files', '--', 'a'.repeat(8_000_000)])).toBeNull();
});

it.each<[string, (git: string) => void]>([
  ['file', (path) => writeFileSync(path, 'gitdir: ../victim/.git\n')],
  ['link', (path) => symlinkSync('../victim/.git', path)],
])('S05: git does not run when a .git %s names the repository of another project', async (_, write) => {
  const claim = join(base, 'claim');
  mkdirSync(claim);
  write(join(claim, '.git'));
  expect(await findExcludeFile(claim)).toBeNull();
});
