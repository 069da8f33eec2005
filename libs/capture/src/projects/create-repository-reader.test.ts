import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '@claude-mem/freshness';
import { createRepositoryReader } from './create-repository-reader.js';

let base: string;
let victim: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    { cwd, stdio: 'pipe', encoding: 'utf8' },
  );
const repository = (name: string) => {
  const path = join(base, name);
  mkdirSync(path);
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', name);
  git(path, 'remote', 'add', 'origin', `https://example.com/${name}`);
  return path;
};
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cm-repository-')));
  victim = repository('victim');
});
afterEach(() => rmSync(base, { recursive: true }));

const signal = AbortSignal.timeout(60_000);
const reader = () => createRepositoryReader(createGit({ searchPath: process.env['PATH'] ?? '', home: base }));
const firstCommit = (folder: string) => git(folder, 'rev-parse', 'HEAD').trim();

describe('the address of a remote', () => {
  const hashFor = (url: string) =>
    createRepositoryReader(async () => ({ exitCode: 0, stdout: `remote.origin.url ${url}\n` })).remoteHash(
      victim,
      signal,
    );

  it('ignores slashes at the end', async () => {
    expect(await hashFor('https://example.com/team/shop.git///')).toBe(
      await hashFor('git@example.com:team/shop'),
    );
  });

  it('S05: is ignored when it is longer than two kilobytes', async () => {
    expect(await hashFor(`https://x/${'/'.repeat(150_000)}x`)).toBeNull();
  });
});

it('returns the first commit of a checkout, a worktree and a submodule', async () => {
  const tree = join(base, 'tree');
  git(victim, 'worktree', 'add', '-q', tree);
  const library = repository('library');
  git(victim, 'submodule', 'add', '-q', library, 'lib');
  const commits = [victim, tree, join(victim, 'lib')].map((root) => reader().rootCommit(root, signal));
  const [own, ofLibrary] = [firstCommit(victim), firstCommit(library)];
  expect(await Promise.all(commits)).toEqual([own, own, ofLibrary]);
  expect(await reader().remoteHash(tree, signal)).toBe(await reader().remoteHash(victim, signal));
});

it('R03: returns no first commit when the clone is shallow', async () => {
  git(victim, 'commit', '-q', '--allow-empty', '-m', 'second');
  const shallow = join(base, 'shallow');
  git(base, 'clone', '-q', '--depth', '1', `file://${victim}`, shallow);
  expect(await reader().rootCommit(shallow, signal)).toBeNull();
});

describe('S05: a folder with a forged pointer to another repository', () => {
  let claim: string;
  beforeEach(() => {
    claim = repository('claim');
  });
  const at = (...parts: string[]) => join(claim, '.git', ...parts);
  const link = (name: string) => {
    rmSync(at(name), { recursive: true, force: true });
    symlinkSync(join(victim, '.git', name), at(name));
  };
  const gitFile = (target: string) => {
    renameSync(at(), join(claim, 'store'));
    writeFileSync(at(), `gitdir: ${target}\n`);
  };

  it.each<[string, () => void]>([
    ['a .git file', () => gitFile('../victim/.git')],
    [
      'a .git link',
      () => {
        rmSync(at(), { recursive: true });
        symlinkSync('../victim/.git', at());
      },
    ],
    ['a common folder', () => writeFileSync(at('commondir'), '../../victim/.git\n')],
    [
      'a common folder of a store that names the checkout',
      () => {
        git(claim, 'config', 'core.worktree', claim);
        gitFile('store');
        writeFileSync(join(claim, 'store', 'commondir'), '../../victim/.git\n');
      },
    ],
    ['linked objects and refs', () => ['objects', 'refs'].forEach(link)],
    ['a linked configuration', () => link('config')],
  ])('has no identity when the pointer is %s', async (_, write) => {
    const id = firstCommit(victim);
    write();
    expect(await reader().remoteHash(claim, signal)).toBeUndefined();
    expect(await reader().rootCommit(claim, signal)).toBeUndefined();
    expect(await reader().hasCommit(claim, id, signal)).toBe(false);
  });

  it('has no remote when its configuration includes the configuration of another repository', async () => {
    git(claim, 'remote', 'remove', 'origin');
    git(claim, 'config', 'include.path', '../../victim/.git/config');
    expect(await reader().remoteHash(claim, signal)).toBeNull();
  });
});
