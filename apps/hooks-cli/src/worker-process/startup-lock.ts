import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Hooks start no second worker within this time, even if the first start failed. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: another process has just started the worker. `unusable`: the data directory is not writable. */
export type StartupLockResult = 'acquired' | 'held' | 'unusable';

/**
 * Acquires the startup lock. The lock is a folder, because only one process can create it. An old lock is renewed by creating a
 * folder in it that is named after the time of the lock. hook.sh uses the same protocol.
 */
export function acquireStartupLock(lock: string, { now }: { now: number }): StartupLockResult {
  try {
    if (createLock(lock)) return 'acquired';
  } catch {
    return 'unusable';
  }
  try {
    const { mtimeMs } = lstatSync(lock);
    const age = now - mtimeMs;
    if (age < START_COOL_DOWN_MS && age > -5_000) return 'held';
    return renewLock(lock, { mtimeMs, now }) ? 'acquired' : 'held';
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 'held';
  }
}

/** Takes the lock from any holder for a start by a command, so that hooks do not start a second worker. */
export function takeOverStartupLock(lock: string, { now }: { now: number }): void {
  if (createLock(lock)) return;
  try {
    utimesSync(lock, now / 1000, now / 1000);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    replaceLock(lock, now);
  }
}

function renewLock(lock: string, { mtimeMs, now }: { mtimeMs: number; now: number }): boolean {
  try {
    mkdirSync(join(lock, String(Math.floor(mtimeMs / 1000))), { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return replaceLock(lock, now);
  }
}

/** Renames the folder, because the folder of another user cannot be changed otherwise. */
function replaceLock(lock: string, now: number): boolean {
  const renamed = `${lock}.${now}-${process.pid}`;
  try {
    renameSync(lock, renamed);
    rmdirSync(renamed);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error;
  }
  return createLock(lock);
}

/** Returns false when the folder exists. Removes a file or a broken link at the path, because it would prevent every start. */
function createLock(folder: string): boolean {
  for (let isFirst = true; ; isFirst = false)
    try {
      mkdirSync(folder, { mode: 0o700 });
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (!isFirst || lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return false;
      rmSync(folder, { force: true });
    }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
