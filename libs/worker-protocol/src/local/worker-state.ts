import { parseJson } from './parse-json.js';
import { readIfFile } from './read-if-file.js';
import type { WorkerPlaces } from './worker-places.js';

export interface WorkerState {
  pid: number;
  port: number | null;
  socket: string | null;
}

/** The content of worker.json, which may describe a process that has exited. */
export function readWorkerState(paths: Pick<WorkerPlaces, 'stateFile'>): WorkerState | null {
  const text = readIfFile(paths.stateFile);
  if (text === null) return null;
  const state = parseJson(text) as Partial<WorkerState> | null | undefined;
  if (!Number.isSafeInteger(state?.pid)) return null;
  return { pid: Number(state?.pid), port: state?.port ?? null, socket: state?.socket ?? null };
}
