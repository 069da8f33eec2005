import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: another process started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type StartupLockResult = 'acquired' | 'held' | 'unusable';

/**
 * Whether this process may start the worker: only one process can create the folder. An old one is renewed by a folder in it, named
 * after the time of the lock: again, only one process can create that. The same as in hook.sh.
 */
export function acquireStartupLock(lock: string, { now }: { now: number }): StartupLockResult {
  try {
    if (make(lock)) return 'acquired';
  } catch {
    return 'unusable';
  }
  try {
    const { mtimeMs } = lstatSync(lock);
    const age = now - mtimeMs;
    if (age < START_COOL_DOWN_MS && age > -5_000) return 'held';
    return renew(lock, { mtimeMs, now }) ? 'acquired' : 'held';
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 'held';
  }
}

/** Takes the lock from any holder for a start by a command, so that hooks do not start a second worker. */
export function takeOverStartupLock(lock: string, { now }: { now: number }): void {
  if (make(lock)) return;
  try {
    utimesSync(lock, now / 1000, now / 1000);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    replace(lock, now);
  }
}

function renew(lock: string, { mtimeMs, now }: { mtimeMs: number; now: number }): boolean {
  try {
    mkdirSync(join(lock, String(Math.floor(mtimeMs / 1000))), { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return replace(lock, now);
  }
}

/** Another user may have created the folder: only its name can be changed. Its content stays. */
function replace(lock: string, now: number): boolean {
  const renamed = `${lock}.${now}-${process.pid}`;
  try {
    renameSync(lock, renamed);
    rmdirSync(renamed);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error;
  }
  return make(lock);
}

/** False when the folder is there already. A file in its place, or a link that leads nowhere, would stop every start. */
function make(folder: string): boolean {
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
