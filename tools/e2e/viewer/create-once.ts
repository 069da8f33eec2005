import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isProcessAlive, waitFor, workspacePaths } from '@claude-mem/testing';

/** Cache of slow builds and generated memories, for later runs. */
export const CACHE = path.join(workspacePaths.root, 'node_modules', '.cache', 'claude-mem-viewer');

const MIN_AGE_TO_DELETE_MS = 2 * 3_600_000;

/**
 * Returns a folder of the cache. Creates the folder when it does not exist. A lock prevents that several processes
 * create it.
 */
export async function createOnce({
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
    deadlineMs: 5 * 60_000,
    everyMs: 300,
  });
  if (turn === 'made') return folder;
  const half = `${folder}.half`;
  try {
    for (const old of [half, folder]) rmSync(old, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    await make(half);
    renameSync(half, folder);
    removeOld(folder);
  } finally {
    for (const rest of [half, lock]) rmSync(rest, { recursive: true, force: true });
  }
  return folder;
}

/** Removes a lock whose process has ended. */
function tryToLock(lock: string): boolean {
  mkdirSync(path.dirname(lock), { recursive: true });
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : null;
  if (holder !== null && holder !== 0 && !isProcessAlive(holder)) rmSync(lock, { force: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes folders of earlier sources. Keeps folders of the last two hours, because another process may use them. */
function removeOld(folder: string): void {
  const kind = path.basename(folder).replace(/-[^-]*$/, '-');
  for (const name of readdirSync(CACHE)) {
    const file = path.join(CACHE, name);
    if (
      !name.startsWith(kind) ||
      file === folder ||
      Date.now() - statSync(file).mtimeMs < MIN_AGE_TO_DELETE_MS
    )
      continue;
    rmSync(file, { recursive: true, force: true });
  }
}
