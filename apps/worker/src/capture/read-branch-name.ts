import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A branch that is checked out is a line; what is longer is something else. */
const MAX_BYTES = 4_096;

/** Everything is done on these in turn: their names tell nothing of what comes next. */
const TRUNKS: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'development', 'dev']);

/**
 * Name of the branch that is checked out, from git's own files without starting git; null where none is. Null as well for the one
 * that others begin from, by its name or since a clone begins from it.
 */
export async function readBranchName(root: string): Promise<string | null> {
  const git = join(root, '.git');
  const file = /^gitdir:[ \t]*([^\r\n]+)/.exec((await readSmallFile(git)) ?? '')?.[1];
  const gitDir = file === undefined ? git : resolve(root, file.trim());
  const head = branchIn(await readSmallFile(join(gitDir, 'HEAD')), 'refs/heads/');
  if (head === null || TRUNKS.has(head)) return null;
  const common = (await readSmallFile(join(gitDir, 'commondir')))?.trim() ?? '.';
  const trunk = await readSmallFile(join(resolve(gitDir, common), 'refs', 'remotes', 'origin', 'HEAD'));
  return head === branchIn(trunk, 'refs/remotes/origin/') ? null : head;
}

function branchIn(text: string | null, prefix: string): string | null {
  const ref = /^ref:[ \t]*([^\r\n]+)/.exec(text ?? '')?.[1]?.trim() ?? '';
  return ref.startsWith(prefix) && ref.length > prefix.length ? ref.slice(prefix.length) : null;
}

async function readSmallFile(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= MAX_BYTES ? await readFile(path, 'utf8') : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null; // not readable is as good as not there
    throw error;
  }
}
