import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: somebody started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type GatePass = 'open' | 'held' | 'unusable';

/** Only one process makes the folder, and only it may start the worker. Of all that find it old one renews it. The same as in hook.sh. */
export function passStartGate(gate: string, { now }: { now: number }): GatePass {
  try {
    if (make(gate)) return 'open';
  } catch {
    return 'unusable';
  }
  try {
    return isOld(gate, now) && renew(gate, now) ? 'open' : 'held';
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 'held';
  }
}

/** Looks again once nobody else can come between. */
function renew(gate: string, now: number): boolean {
  const lock = `${gate}.renewing`;
  if (!make(lock)) {
    if (isOld(lock, now)) moveAway(lock, now);
    return false;
  }
  try {
    const isStillOld = isOld(gate, now);
    if (isStillOld) takeStartGate(gate, { now });
    return isStillOld;
  } finally {
    rmSync(lock, { recursive: true, force: true });
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

/** Perhaps made by another user: only the name is surely ours. What is in it stays. */
function moveAway(folder: string, now: number): void {
  const aside = `${folder}.${now}-${process.pid}`;
  try {
    renameSync(folder, aside);
    rmdirSync(aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error;
  }
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
