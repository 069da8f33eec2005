import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Files that differ from where the branch began: committed on it, staged, or changed in the work tree; from the root, with `/`. */
export type BranchFiles = (root: string, options: { signal: AbortSignal }) => Promise<readonly string[]>;

const MOST_FILES = 500;
const MAX_BYTES = 256 * 1024;
/** The first of these that exists is what the branch began from. */
const BASES = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/**
 * Asks git, in a way that runs nothing that the repository brings along: no hook, no monitor, no filter, no other differ, no
 * transport. What cannot be told in time, or without that, is not told.
 * @param searchPath where git is looked for
 */
export function createBranchFiles({ searchPath, home }: { searchPath: string; home: string }): BranchFiles {
  return async (root, { signal }) => {
    // processes are dear while a session waits
    if (searchPath === '' || !existsSync(join(root, '.git'))) return [];
    const git: Git = (...args) => runGit(args, { root, searchPath, home, signal });
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

function runGit(
  args: readonly string[],
  { root, searchPath, home, signal }: { root: string; searchPath: string; home: string; signal: AbortSignal },
): Promise<string | null> {
  const safe = [
    '-c core.fsmonitor=false',
    '-c core.hooksPath=/dev/null',
    '-c protocol.allow=never',
    '--no-pager',
    '--literal-pathspecs',
  ].flatMap((option) => option.split(' '));
  const env = {
    // a relative one would be the repository's own folder
    PATH: searchPath.split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: home,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  const options = { cwd: root, env, signal, maxBuffer: MAX_BYTES, windowsHide: true } as const;
  return new Promise((resolve) => {
    execFile('git', [...safe, ...args], options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}
