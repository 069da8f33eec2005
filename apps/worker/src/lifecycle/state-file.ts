import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { DataPaths } from '@claude-mem/settings';

/** Content of worker.json, for people and for `claude-mem status`. */
export interface WorkerState {
  pid: number;
  port: number | null;
  socket: string | null;
  version: string;
  startedAtEpoch: number;
}

export function writeState(paths: DataPaths, state: WorkerState): void {
  writeFileAtomically(paths.stateFile, `${JSON.stringify(state)}\n`, { forceMode: true });
  writeFileAtomically(paths.pidFile, `${state.pid}\n`, { forceMode: true });
}

/** Removes what a clean end leaves nothing of; the socket goes with its listener. */
export function removeTraces(paths: DataPaths): void {
  rmSync(paths.stateFile, { force: true });
  rmSync(paths.pidFile, { force: true });
  rmSync(paths.socketPointer, { force: true });
  openStartGate(paths);
}

/** Lets the next hook start a worker at once: removes the lock and the empty folders in it. */
export function openStartGate({ startGate }: DataPaths): void {
  try {
    for (const name of readdirSync(startGate)) rmdirSync(join(startGate, name));
    rmdirSync(startGate);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR'].includes(code)) throw error;
  }
}
