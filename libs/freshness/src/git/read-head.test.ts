import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readHead } from './read-head.js';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cm-head-')));
  root = join(base, 'shop');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: root,
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();

function begin() {
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  return git('rev-parse', 'HEAD');
}

it('reads the branch without a commit before the first commit', () => {
  git('init', '-q', '-b', 'main');
  expect(readHead(root)).toEqual({ branch: 'main', commit: null });
});

it('reads branch and commit when the ref is a file, and when it is packed', () => {
  const first = begin();
  expect(readHead(root)).toEqual({ branch: 'main', commit: first });
  git('checkout', '-q', '-b', 'ada/fix-ü');
  git('commit', '-q', '--allow-empty', '-m', 'Second');
  const second = git('rev-parse', 'HEAD');
  git('pack-refs', '--all');
  expect(readHead(root)).toEqual({ branch: 'ada/fix-ü', commit: second });
  git('checkout', '-q', 'main');
  expect(readHead(root)).toEqual({ branch: 'main', commit: first });
});

it('reads only the commit when the checkout is detached', () => {
  const commit = begin();
  git('checkout', '-q', '--detach');
  expect(readHead(root)).toEqual({ branch: null, commit });
});

it('reads branch and commit of a worktree', () => {
  const commit = begin();
  const tree = join(base, 'other tree');
  git('worktree', 'add', '-q', '-b', 'voucher', tree);
  expect(readHead(tree)).toEqual({ branch: 'voucher', commit });
});

it('returns null outside of a repository', () => {
  expect(readHead(root)).toBeNull();
});

it.each<[string, () => void]>([
  [
    'a path that leads out of the refs',
    () => writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/../../x\n'),
  ],
  ['another kind of ref', () => writeFileSync(join(root, '.git/HEAD'), 'ref: refs/tags/x\n')],
  ['no text of git', () => writeFileSync(join(root, '.git/HEAD'), 'hello\n')],
  ['a commit that is none', () => writeFileSync(join(root, '.git/refs/heads/main'), 'secret text\n')],
  [
    'packed refs that are too large',
    () => {
      git('pack-refs', '--all');
      appendFileSync(join(root, '.git/packed-refs'), `# ${'x'.repeat(5_000_000)}\n`);
    },
  ],
])('S05: returns null when the repository has %s', (_, change) => {
  begin();
  change();
  expect(readHead(root)).toBeNull();
});

it('S05: returns null when a git pointer names the repository of another project', () => {
  begin();
  const claim = join(base, 'claim');
  mkdirSync(claim);
  writeFileSync(join(claim, '.git'), 'gitdir: ../shop/.git\n');
  expect(readHead(claim)).toBeNull();
});
