import { join } from 'node:path';
import { branchIn, findGitFolders, readSmallFile } from '../git/read-head.js';

/** Everything is done on these in turn: their names tell nothing of what comes next. */
const TRUNKS: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'development', 'dev']);

/**
 * Name of the branch that is checked out, from git's own files without starting git; null where none is. Null as well for the one
 * that others begin from.
 */
export function readBranchName(root: string): string | null {
  const head = branchIn(readSmallFile(join(findGitFolders(root).own, 'HEAD')), 'refs/heads/');
  return head === null || isTrunk(root, head) ? null : head;
}

/** True for the branch that others begin from, by its name or since a clone begins from it. */
export function isTrunk(root: string, branch: string): boolean {
  if (TRUNKS.has(branch)) return true;
  const remoteHead = readSmallFile(join(findGitFolders(root).shared, 'refs', 'remotes', 'origin', 'HEAD'));
  return branch === branchIn(remoteHead, 'refs/remotes/origin/');
}
