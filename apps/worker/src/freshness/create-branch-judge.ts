import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BranchState, CheckoutHead } from '@claude-mem/core';
import { isTrunk } from '../capture/read-branch-name.js';
import type { RunGit } from '../git/create-git.js';
import { findGitFolders } from '../git/read-head.js';

/** Returns what became of the branch on which a record was stored; null for the current branch, a trunk, and when nothing is proven. */
export type BranchJudge = (recorded: CheckoutHead | null) => Promise<BranchState | null>;

const TIMEOUT_MS = 10_000;

/** Judges branches by what is checked out. Keeps the answers, so it is created for each pass over the records. */
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
  const git = (args: readonly string[]) =>
    run(root, args, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  const isShallow = existsSync(join(findGitFolders(root).shared, 'shallow'));
  const merged = new Map<string, Promise<boolean | null>>();
  const states = new Map<string, Promise<BranchState | 'deleted' | null>>();

  /** Null when git does not know the commit, or cannot know all commits before it. */
  const readMerged = async (commit: string): Promise<boolean | null> => {
    const answer = await git(['merge-base', '--is-ancestor', commit, head.commit ?? '']);
    if (answer?.exitCode === 0) return true;
    return answer?.exitCode === 1 && !isShallow ? false : null;
  };
  const isMerged = (commit: string) => remember(merged, commit, () => readMerged(commit));

  /** The commits of the branch, here and in the copies of remote repositories; null when git does not answer. */
  const tipsOf = async (branch: string): Promise<string[] | null> => {
    const patterns = [`refs/heads/${branch}`, `refs/remotes/*/${branch}`];
    const answer = await git(['for-each-ref', '--format=%(objectname) %(refname)', ...patterns]);
    if (answer?.exitCode !== 0) return null;
    return answer.stdout.split('\n').flatMap((line) => {
      const [, commit = '', ref = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
      // a pattern also matches what is below it
      const name = ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
      return name === branch ? [commit] : [];
    });
  };

  const readState = async (branch: string): Promise<BranchState | 'deleted' | null> => {
    const tips = await tipsOf(branch);
    if (tips === null) return null;
    if (tips.length === 0) return 'deleted';
    const answers = await Promise.all(tips.map(isMerged));
    if (answers.includes(true)) return 'merged';
    return answers.includes(null) ? null : 'open';
  };

  return async (recorded) => {
    if (recorded === null || head.commit === null) return null;
    const { branch, commit } = recorded;
    if (branch === null || branch === head.branch || isTrunk(root, branch)) return null;
    const state = await remember(states, branch, () => readState(branch));
    if (state !== 'deleted') return state;
    return commit !== null && (await isMerged(commit)) === false ? 'abandoned' : null;
  };
}

function remember<Value>(known: Map<string, Value>, key: string, read: () => Value): Value {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
