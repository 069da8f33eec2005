import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';

const LOOK_MS = 5;
/** Its owner had all the time it needs, or is of another machine that shares the folder. */
const ABANDONED_MS = 5_000;

/**
 * Runs `work` while no other process, and nobody else in this one, does so for the same file. Where no lock can be made, as in a folder
 * that may not be written, it runs without. Whoever was killed with the lock in hand holds up nobody.
 */
export async function withFileLock(file: string, work: () => void): Promise<void> {
  const lock = `${file}.lock`;
  while (take(lock) === 'taken') {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
    else await sleep(LOOK_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): 'mine' | 'taken' | 'impossible' {
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
  const owner = ownerOf(lock);
  return owner !== null && owner !== process.pid && !isProcessAlive(owner);
}

function ownerOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
