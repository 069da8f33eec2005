import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: somebody started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type GatePass = 'open' | 'held' | 'unusable';

/**
 * Whether this process may start the worker: only one process can create the folder. An old one is renewed by a folder in it, named
 * after the time of the lock: again, only one process can create that. The same as in hook.sh.
 */
export function passStartGate(gate: string, { now }: { now: number }): GatePass {
  try {
    if (make(gate)) return 'open';
  } catch {
    return 'unusable';
  }
  try {
    const { mtimeMs } = lstatSync(gate);
    const age = now - mtimeMs;
    if (age < START_COOL_DOWN_MS && age > -5_000) return 'held';
    return renew(gate, { mtimeMs, now }) ? 'open' : 'held';
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 'held';
  }
}

/** For a person who asks for a start: takes the gate whoever made it, so that hooks leave this start alone. */
export function takeStartGate(gate: string, { now }: { now: number }): void {
  if (make(gate)) return;
  try {
    utimesSync(gate, now / 1000, now / 1000);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    replace(gate, now);
  }
}

function renew(gate: string, { mtimeMs, now }: { mtimeMs: number; now: number }): boolean {
  try {
    mkdirSync(join(gate, String(Math.floor(mtimeMs / 1000))), { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return replace(gate, now);
  }
}

/** Another user may have created the folder: only its name can be changed. Its content stays. */
function replace(gate: string, now: number): boolean {
  const renamed = `${gate}.${now}-${process.pid}`;
  try {
    renameSync(gate, renamed);
    rmdirSync(renamed);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error;
  }
  return make(gate);
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
