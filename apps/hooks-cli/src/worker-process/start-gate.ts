import { mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: somebody started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type GatePass = 'open' | 'held' | 'unusable';

/** Only one process makes the folder, and only it may start the worker. An old gate is renewed. */
export function passStartGate(gate: string, { now }: { now: number }): GatePass {
  const made = madeAt(gate);
  if (made !== null) {
    const age = now - made;
    if (age > -5_000 && age < START_COOL_DOWN_MS) return 'held';
    if (!removeFolder(gate)) return 'held';
  }
  try {
    mkdirSync(gate, { mode: 0o700 });
    return 'open';
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? 'held' : 'unusable';
  }
}

/** For a person who asks for a start: takes the gate whoever made it, so that hooks leave this start alone. */
export function takeStartGate(gate: string, { now }: { now: number }): void {
  try {
    mkdirSync(gate, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    utimesSync(gate, now / 1000, now / 1000);
  }
}

function madeAt(gate: string): number | null {
  try {
    return statSync(gate).mtimeMs;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return null;
  }
}

function removeFolder(gate: string): boolean {
  try {
    rmdirSync(gate);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
