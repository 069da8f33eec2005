import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BranchState, CheckoutHead } from '@claude-mem/core';
import { isTrunk } from './git/read-branch-name.js';
import type { RunGit } from './git/create-git.js';
import { findGitFolders } from './git/read-head.js';
import { isForeignWork } from './is-foreign-work.js';
import { getOrCreate } from './get-or-create.js';

/**
 * Returns the state of the branch on which a record was stored. Returns null for the current branch, for a main
 * branch, and when the state cannot be proven.
 */
export type BranchJudge = (recorded: CheckoutHead | null) => Promise<BranchState | null>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Creates a judge that compares branches with the current checkout. It caches its answers, so create a new one for
 * each pass over the records.
 */
export function createBranchJudge({
  git: run,
  root,
  head,
  signal,
}: {
  git: RunGit;
  root: string;
  head: CheckoutHead;
  signal: AbortSignal;
}): BranchJudge {
  const git = (args: readonly string[], input = '') => {
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), input };
    return run(root, ['--literal-pathspecs', ...args], { ...options, maxBytes: MAX_BYTES });
  };
  /** Returns the output of git; null when git failed. */
  const read = (...args: Parameters<typeof git>) =>
    git(...args).then((answer) => (answer?.exitCode === 0 ? answer.stdout : null));
  const isShallow = existsSync(join(findGitFolders(root).shared, 'shallow'));
  const merged = new Map<string, Promise<boolean | null>>();
  const abandoned = new Map<string, Promise<boolean>>();
  const logs = new Map<string, Promise<string | null>>();
  const foreign = new Map<string, Promise<boolean>>();
  const tips = new Map<string, Promise<string[] | null>>();

  /** Returns null when git does not know the commit, or when a shallow clone lacks earlier commits. */
  const readMerged = async (commit: string): Promise<boolean | null> => {
    const answer = await git(['merge-base', '--is-ancestor', commit, head.commit ?? '']);
    if (answer?.exitCode === 0) return true;
    return answer?.exitCode === 1 && !isShallow ? false : null;
  };
  const isMerged = (commit: string) => getOrCreate(merged, commit, () => readMerged(commit));

  /**
   * Returns the commits at which the branch is, locally and in the copies of remote repositories. Returns null when
   * git does not answer.
   */
  const tipsOf = async (branch: string): Promise<string[] | null> => {
    const patterns = [`refs/heads/${branch}`, `refs/remotes/*/${branch}`];
    const list = await read(['for-each-ref', '--format=%(objectname) %(refname)', ...patterns]);
    if (list === null) return null;
    return list.split('\n').flatMap((line) => {
      const [, commit = '', ref = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
      // A pattern also matches refs below it, such as `branch/other`.
      const name = ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
      return name === branch ? [commit] : [];
    });
  };

  const isForeign = (commit: string) =>
    getOrCreate(foreign, commit, () => isForeignWork(commit, { head, read }));

  /**
   * Returns true if the log of the branch contains the commit. Without a log, the history is used. Git deletes the
   * log with the branch, so a later branch of the same name does not match.
   */
  const wasAt = async (branch: string, commit: string, current: readonly string[]): Promise<boolean> => {
    const readLog = () => read(['rev-list', '--walk-reflogs', `refs/heads/${branch}`, '--']);
    const log = await getOrCreate(logs, branch, readLog);
    if (log !== null && log !== '') return log.split('\n').includes(commit);
    for (const tip of current)
      if ((await read(['merge-base', '--is-ancestor', commit, tip])) !== null) return true;
    return false;
  };

  const readAbandoned = async (commit: string): Promise<boolean> =>
    (await isMerged(commit)) === false &&
    (await read(['for-each-ref', '--count=1', `--contains=${commit}`])) === '' &&
    isForeign(commit);

  return async (recorded) => {
    if (recorded === null || head.commit === null) return null;
    const { branch, commit } = recorded;
    if (branch === null || branch === head.branch || isTrunk(root, branch)) return null;
    const current = await getOrCreate(tips, branch, () => tipsOf(branch));
    if (current === null || commit === null) return null;
    if (current.length === 0)
      return (await getOrCreate(abandoned, commit, () => readAbandoned(commit))) ? 'abandoned' : null;
    const answers = await Promise.all(current.map(isMerged));
    if (answers.includes(true)) return 'merged';
    if (answers.includes(null) || !(await wasAt(branch, commit, current))) return null;
    return (await Promise.all(current.map(isForeign))).every(Boolean) ? 'open' : null;
  };
}
