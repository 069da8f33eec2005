import { join } from 'node:path';
import { readSmallFile } from '@claude-mem/host-adapters';
import { branchIn, findGitFolders } from './read-head.js';

/** The name of such a branch does not describe the work. */
const TRUNKS: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'development', 'dev']);

/**
 * Reads the name of the current branch from the files of git, without starting git. Returns null when no branch is checked out, and for
 * a branch that others begin from.
 */
export function readBranchName(root: string): string | null {
  const head = branchIn(readSmallFile(join(findGitFolders(root).own, 'HEAD')), 'refs/heads/');
  return head === null || isTrunk(root, head) ? null : head;
}

/** True for a branch that others begin from: by its name, or because clones check it out. */
export function isTrunk(root: string, branch: string): boolean {
  if (TRUNKS.has(branch)) return true;
  const remoteHead = readSmallFile(join(findGitFolders(root).shared, 'refs', 'remotes', 'origin', 'HEAD'));
  return branch === branchIn(remoteHead, 'refs/remotes/origin/');
}
