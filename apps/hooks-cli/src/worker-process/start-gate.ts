import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';

/** No second start by a hook within this time, whether the first came up or not. */
export const START_COOL_DOWN_MS = 30_000;

/** `held`: somebody started the worker a moment ago. `unusable`: the data directory cannot be written. */
export type GatePass = 'open' | 'held' | 'unusable';

/** Only one process makes the folder, and only it may start the worker. Of all that find it old one renews it. */
export function passStartGate(gate: string, { now }: { now: number }): GatePass {
  try {
    mkdirSync(gate, { mode: 0o700 });
    return 'open';
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return 'unusable';
  }
  return isOld(gate, now) && renew(gate, now) ? 'open' : 'held';
}

/** Looks again once nobody else can come between. */
function renew(gate: string, now: number): boolean {
  const lock = `${gate}.renewing`;
  try {
    mkdirSync(lock, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && isOld(lock, now)) rmSync(lock, { recursive: true, force: true });
    return false;
  }
  const isStillOld = isOld(gate, now);
  if (isStillOld) takeStartGate(gate, { now });
  rmSync(lock, { recursive: true, force: true });
  return isStillOld;
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

function isOld(folder: string, now: number): boolean {
  const age = now - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now);
  return age >= START_COOL_DOWN_MS || age <= -5_000;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
