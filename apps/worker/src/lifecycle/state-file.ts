import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { DataPaths } from '@claude-mem/settings';

/** Content of worker.json, for users and for `claude-mem status`. */
export interface WorkerState {
  pid: number;
  port: number | null;
  socket: string | null;
  version: string;
  startedAtEpoch: number;
}

export function writeState(paths: DataPaths, state: WorkerState): void {
  writeFileAtomically(paths.stateFile, `${JSON.stringify(state)}\n`, { forceMode: true, replaceLink: true });
  writeFileAtomically(paths.pidFile, `${state.pid}\n`, { forceMode: true, replaceLink: true });
}

/** Removes the files that a clean shutdown leaves. The listener removes the socket. */
export function removeTraces(paths: DataPaths): void {
  rmSync(paths.stateFile, { force: true });
  rmSync(paths.pidFile, { force: true });
  rmSync(paths.socketPointer, { force: true });
  releaseStartupLock(paths);
}

/** Lets the next hook start a worker at once: removes the startup lock and its empty folders. */
export function releaseStartupLock({ startupLock }: DataPaths): void {
  try {
    if (removeEmpty(startupLock)) return;
    for (const name of readdirSync(startupLock)) removeEmpty(join(startupLock, name));
    removeEmpty(startupLock);
  } catch (error) {
    // Created by another user.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}

/** Removes an empty folder. False when it is not empty, or not a folder that this user may remove. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return true;
    if (['ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM'].includes(code)) return false;
    throw error;
  }
}
