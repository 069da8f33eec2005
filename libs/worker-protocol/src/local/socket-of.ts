import { readIfFile } from './read-if-file.js';
import type { WorkerPlaces } from './worker-places.js';

/** Where the socket of a data directory is, also when its own path would be too long for one. */
export function socketOf({ socket, socketPointer }: Pick<WorkerPlaces, 'socket' | 'socketPointer'>): string {
  return readIfFile(socketPointer)?.trim() ?? socket;
}
