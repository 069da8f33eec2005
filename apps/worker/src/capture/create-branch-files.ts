import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunGit } from '@claude-mem/freshness';

/** Files that differ from where the branch began: committed on it, staged, or changed in the work tree; from the root, with `/`. */
export type BranchFiles = (root: string, options: { signal: AbortSignal }) => Promise<readonly string[]>;

const MOST_FILES = 500;
/** The first of these that exists is what the branch began from. */
const BASES = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/**
 * Asks git, in a way that runs nothing that the repository brings along, also no filter and no other differ. What cannot be told in
 * time, or without that, is not told.
 */
export function createBranchFiles({ git: runGit }: { git: RunGit }): BranchFiles {
  return async (root, { signal }) => {
    // processes are dear while a session waits
    if (!existsSync(join(root, '.git'))) return [];
    const git: Git = async (...args) => {
      const answer = await runGit(root, ['--literal-pathspecs', ...args], { signal });
      return answer?.exitCode === 0 ? answer.stdout : null;
    };
    const lists = await Promise.all([
      committed(git),
      git('diff-index', '--cached', '--name-only', '--no-ext-diff', '-z', 'HEAD', '--'),
      inWorkTree(git),
    ]);
    const files = new Set(lists.flatMap((list) => (list ?? '').split('\0')).filter((file) => file !== ''));
    return [...files].slice(0, MOST_FILES);
  };
}

/** What git printed; null when it failed. */
type Git = (...args: readonly string[]) => Promise<string | null>;

async function committed(git: Git): Promise<string | null> {
  const found = (await git('for-each-ref', '--format=%(refname)', ...BASES))?.split('\n') ?? [];
  const base = BASES.find((ref) => found.includes(ref));
  const start = base === undefined ? null : (await git('merge-base', base, 'HEAD'))?.trim();
  if (start === null || start === undefined || !/^[0-9a-f]{40,64}$/.test(start)) return null;
  return git('diff-tree', '-r', '--name-only', '--no-ext-diff', '-z', start, 'HEAD', '--');
}

/** To see whether a file changed, git may have to pass it through a filter that the repository's own settings name. */
async function inWorkTree(git: Git): Promise<string | null> {
  const keys = await git('config', '--list', '--name-only', '--show-scope', '--includes');
  const isOwnFilter = /^(?:local|worktree)\tfilter\.[^\n]*\.(?:clean|process)$/im;
  if (keys === null || isOwnFilter.test(keys)) return null;
  return git('diff-files', '--name-only', '--no-ext-diff', '--ignore-submodules', '-z', '--');
}
