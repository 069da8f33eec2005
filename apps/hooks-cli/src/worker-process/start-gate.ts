import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: somebody started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type GatePass = 'open' | 'held' | 'unusable';

/** Whether this process may start the worker: only one process can create the folder. The same as in hook.sh. */
export function passStartGate(gate: string, { now }: { now: number }): GatePass {
  try {
    if (make(gate)) return 'open';
  } catch {
    return 'unusable';
  }
  try {
    if (!isOld(gate, now)) return 'held';
    // another process may have replaced the folder just before: then that process starts the worker
    const wasOld = moveAway(gate, now);
    return make(gate) && wasOld ? 'open' : 'held';
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
    moveAway(gate, now);
    make(gate);
  }
}

/**
 * Another user may have created the folder: only its name can be changed. Its content stays.
 * @returns whether the moved folder was old
 */
function moveAway(folder: string, now: number): boolean {
  const aside = `${folder}.${now}-${process.pid}`;
  let wasOld = false;
  try {
    renameSync(folder, aside);
    wasOld = isOld(aside, now);
    rmdirSync(aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error;
  }
  return wasOld;
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

function isOld(folder: string, now: number): boolean {
  const age = now - (lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now);
  return age >= START_COOL_DOWN_MS || age <= -5_000;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
