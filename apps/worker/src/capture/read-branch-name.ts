import { join } from 'node:path';
import { branchIn, findGitFolders, readSmallFile } from '../git/read-head.js';

/** Everything is done on these in turn: their names tell nothing of what comes next. */
const TRUNKS: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'development', 'dev']);

/**
 * Name of the branch that is checked out, from git's own files without starting git; null where none is. Null as well for the one
 * that others begin from, by its name or since a clone begins from it.
 */
export function readBranchName(root: string): string | null {
  const { own, shared } = findGitFolders(root);
  const head = branchIn(readSmallFile(join(own, 'HEAD')), 'refs/heads/');
  if (head === null || TRUNKS.has(head)) return null;
  const trunk = readSmallFile(join(shared, 'refs', 'remotes', 'origin', 'HEAD'));
  return head === branchIn(trunk, 'refs/remotes/origin/') ? null : head;
}
