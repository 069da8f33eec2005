import { parseJson } from './parse-json.js';
import { readIfFile } from './read-if-file.js';
import type { WorkerPlaces } from './worker-places.js';

export interface WorkerState {
  pid: number;
  port: number | null;
  socket: string | null;
}

/** What worker.json says, which may be about a process that is long gone. */
export function readWorkerState(paths: Pick<WorkerPlaces, 'stateFile'>): WorkerState | null {
  const text = readIfFile(paths.stateFile);
  if (text === null) return null;
  const state = parseJson(text) as Partial<WorkerState> | null | undefined;
  if (!Number.isSafeInteger(state?.pid)) return null;
  return { pid: Number(state?.pid), port: state?.port ?? null, socket: state?.socket ?? null };
}
