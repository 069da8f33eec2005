import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBranchName } from './read-branch-name.js';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'branch-'));
  root = join(base, 'shop');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: root,
    stdio: 'pipe',
  });

it('reads the branch that is checked out, also before its first commit', () => {
  git('init', '-q', '-b', 'ada/voucher-total');
  expect(readBranchName(root)).toBe('ada/voucher-total');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  git('checkout', '-q', '-b', 'fix-ü');
  expect(readBranchName(root)).toBe('fix-ü');
  git('checkout', '-q', '--detach');
  expect(readBranchName(root)).toBeNull();
});

it.each(['main', 'master', 'develop'])('returns null for the main branch %s', (branch) => {
  git('init', '-q', '-b', branch);
  expect(readBranchName(root)).toBeNull();
});

it('reads the branch of a worktree', () => {
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  git('worktree', 'add', '-q', '-b', 'voucher-total', join(base, 'other tree'));
  expect(readBranchName(join(base, 'other tree'))).toBe('voucher-total');
  expect(readBranchName(root)).toBeNull();
});

it('returns null for the default branch of a clone, also in a worktree', () => {
  git('init', '-q', '-b', 'shelf');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  const clone = join(base, 'clone');
  git('clone', '-q', root, clone);
  expect(readBranchName(clone)).toBeNull();
  execFileSync('git', ['checkout', '-q', '-b', 'voucher'], { cwd: clone, stdio: 'pipe' });
  expect(readBranchName(clone)).toBe('voucher');
  execFileSync('git', ['worktree', 'add', '-q', join(base, 'tree'), 'shelf'], { cwd: clone, stdio: 'pipe' });
  expect(readBranchName(join(base, 'tree'))).toBeNull();
});

it.each([
  ['nothing there', () => undefined],
  ['a folder for the name', () => mkdirSync(join(root, '.git', 'HEAD'), { recursive: true })],
  ['a pointer to nowhere', () => writeFileSync(join(root, '.git'), 'gitdir: nowhere')],
  [
    'a name without an end',
    () => {
      mkdirSync(join(root, '.git'));
      writeFileSync(join(root, '.git', 'HEAD'), `ref: refs/heads/${'a'.repeat(5_000)}`);
    },
  ],
])('returns null when .git contains %s', (_, prepare) => {
  prepare();
  expect(readBranchName(root)).toBeNull();
});
