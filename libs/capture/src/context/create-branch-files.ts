import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '@claude-mem/core';
import type { RunGit } from '@claude-mem/freshness';
import { createCachedLookup } from './create-cached-lookup.js';

/**
 * Returns the changed files of the current branch, relative to the root, with `/`. The result can come from an
 * earlier lookup.
 */
export type BranchFiles = (root: string) => Promise<readonly string[]>;

export const createBranchFiles = ({
  git,
  ...rest
}: {
  git: RunGit;
  clock: Clock;
  log?: Pick<Logger, 'debug'>;
}): BranchFiles =>
  createCachedLookup({
    lookup: (root, { signal }) => findBranchFiles(git, root, { signal }),
    name: 'The files of a branch',
    ...rest,
  });

const MAX_FILES = 500;
/** Possible base branches. The first one that exists is used. */
const BASES = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/**
 * Finds the files that differ from the start of the branch: committed on the branch, staged, or changed in the work
 * tree. Uses only git commands that run no program of the repository. Files that require a filter program are not
 * found.
 */
export async function findBranchFiles(
  runGit: RunGit,
  root: string,
  { signal }: { signal: AbortSignal },
): Promise<readonly string[]> {
  // This check avoids the cost of git processes while a session waits.
  if (!existsSync(join(root, '.git'))) return [];
  const git: Git = async (...args) => {
    const answer = await runGit(root, ['--literal-pathspecs', ...args], { signal });
    return answer?.exitCode === 0 ? answer.stdout : null;
  };
  const lists = await Promise.all([
    findCommitted(git),
    git('diff-index', '--cached', '--name-only', '--no-ext-diff', '-z', 'HEAD', '--'),
    findInWorkTree(git),
  ]);
  const files = new Set(lists.flatMap((list) => (list ?? '').split('\0')).filter((file) => file !== ''));
  return [...files].slice(0, MAX_FILES);
}

/** Returns the output of git; null when git failed. */
type Git = (...args: readonly string[]) => Promise<string | null>;

async function findCommitted(git: Git): Promise<string | null> {
  const found = (await git('for-each-ref', '--format=%(refname)', ...BASES))?.split('\n') ?? [];
  const base = BASES.find((ref) => found.includes(ref));
  const start = base === undefined ? null : (await git('merge-base', base, 'HEAD'))?.trim();
  if (start === null || start === undefined || !/^[0-9a-f]{40,64}$/.test(start)) return null;
  return git('diff-tree', '-r', '--name-only', '--no-ext-diff', '-z', start, 'HEAD', '--');
}

/**
 * Git compares files through a filter program if the repository configures one. The work tree of such a repository is
 * not read.
 */
async function findInWorkTree(git: Git): Promise<string | null> {
  const keys = await git('config', '--list', '--name-only', '--show-scope', '--includes');
  const isOwnFilter = /^(?:local|worktree)\tfilter\.[^\n]*\.(?:clean|process)$/im;
  if (keys === null || isOwnFilter.test(keys)) return null;
  return git('diff-files', '--name-only', '--no-ext-diff', '--ignore-submodules', '-z', '--');
}
