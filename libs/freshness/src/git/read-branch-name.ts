import { join } from 'node:path';
import { readSmallFile } from '@claude-mem/host-adapters';
import { branchIn, findGitFolders } from './read-head.js';

/** Main branches. Their names do not describe the work. */
const MAIN_BRANCHES: ReadonlySet<string> = new Set([
  'main',
  'master',
  'trunk',
  'develop',
  'development',
  'dev',
]);

/**
 * Reads the name of the current branch from the files of git, without starting git. Returns null for a main branch,
 * and when no branch is checked out.
 */
export function readBranchName(root: string): string | null {
  const head = branchIn(readSmallFile(join(findGitFolders(root).own, 'HEAD')), 'refs/heads/');
  return head === null || isTrunk(root, head) ? null : head;
}

/** Returns true for a main branch: it has a known name, or it is the default branch of the remote. */
export function isTrunk(root: string, branch: string): boolean {
  if (MAIN_BRANCHES.has(branch)) return true;
  const remoteHead = readSmallFile(join(findGitFolders(root).shared, 'refs', 'remotes', 'origin', 'HEAD'));
  return branch === branchIn(remoteHead, 'refs/remotes/origin/');
}
