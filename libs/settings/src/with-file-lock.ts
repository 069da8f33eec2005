import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';

const RETRY_MS = 5;
/** An older lock is abandoned. Its owner may run on another machine that shares the folder. */
const ABANDONED_MS = 5_000;

/**
 * Runs `work` while holding an exclusive lock for the file. Runs without a lock when the lock file cannot be created, as in a
 * read-only folder. Removes locks of processes that have ended.
 */
export async function withFileLock(file: string, work: () => void): Promise<void> {
  const lock = `${file}.lock`;
  while (acquire(lock) === 'taken') {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
    else await sleep(RETRY_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquire(lock: string): 'mine' | 'taken' | 'impossible' {
  try {
    const handle = openSync(lock, 'wx', 0o600);
    try {
      writeSync(handle, String(process.pid));
    } finally {
      closeSync(handle);
    }
    return 'mine';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'taken' : 'impossible';
  }
}

function isAbandoned(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (Date.now() - found.mtimeMs > ABANDONED_MS) return true;
  const owner = readOwner(lock);
  return owner !== null && owner !== process.pid && !isProcessAlive(owner);
}

function readOwner(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
