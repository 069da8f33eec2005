import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfFile } from './read-if-file.js';
import type { WorkerPlaces } from './worker-places.js';

/** Path of the socket of a data directory, also when its own path would be too long for a socket. */
export function socketOf({ socket, socketPointer }: Pick<WorkerPlaces, 'socket' | 'socketPointer'>): string {
  const target = readIfFile(socketPointer)?.trim();
  return target !== undefined && isPrivate(dirname(target), socketPointer) ? target : socket;
}

/**
 * The folder is in a place that all users may write to: after a restart, another user may have created it first. A missing folder
 * is not private, since another user can create it before the connection is made.
 */
function isPrivate(folder: string, socketPointer: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (process.platform === 'win32') return true;
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === lstatSync(socketPointer).uid &&
    (found.mode & 0o077) === 0
  );
}
