import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { waitFor, workspacePaths } from '@claude-mem/testing';

/** What takes long to make is kept here for the next run. */
export const CACHE = path.join(workspacePaths.root, 'node_modules', '.cache', 'claude-mem-viewer');

const LOST_AFTER_MS = 10 * 60_000;
const OLD_AFTER_MS = 2 * 3_600_000;

/** A folder below the cache that is made when it is not there, once, however many ask at a time. */
export async function madeOnce({
  folder,
  isGood = () => true,
  make,
}: {
  folder: string;
  isGood?: (folder: string) => boolean;
  make: (folder: string) => Promise<void>;
}): Promise<string> {
  const isThere = () => existsSync(folder) && isGood(folder);
  if (isThere()) return folder;
  const lock = `${folder}.lock`;
  const turn = await waitFor(() => (isThere() ? 'made' : tryToLock(lock) ? 'mine' : null), {
    what: `${path.basename(folder)}, which another test makes`,
    deadlineMs: LOST_AFTER_MS,
    everyMs: 300,
  });
  if (turn === 'made') return folder;
  try {
    const half = `${folder}.half`;
    for (const old of [half, folder]) rmSync(old, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    await make(half);
    renameSync(half, folder);
    removeOld(folder);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  return folder;
}

function tryToLock(lock: string): boolean {
  mkdirSync(path.dirname(lock), { recursive: true });
  if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > LOST_AFTER_MS)
    rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Others of its kind that were made of earlier sources; one that is young may be in use. */
function removeOld(folder: string): void {
  const kind = path.basename(folder).replace(/-[^-]*$/, '-');
  for (const name of readdirSync(CACHE)) {
    const file = path.join(CACHE, name);
    if (!name.startsWith(kind) || file === folder || Date.now() - statSync(file).mtimeMs < OLD_AFTER_MS)
      continue;
    rmSync(file, { recursive: true, force: true });
  }
}
