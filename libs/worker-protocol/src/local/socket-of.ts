import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfFile } from './read-if-file.js';
import type { WorkerPlaces } from './worker-places.js';

/**
 * Returns the path of the socket of a data folder. A data folder with a too long path has a pointer file to a socket
 * in another folder.
 */
export function socketOf({ socket, socketPointer }: Pick<WorkerPlaces, 'socket' | 'socketPointer'>): string {
  const target = readIfFile(socketPointer)?.trim();
  return target !== undefined && isPrivate(dirname(target), socketPointer) ? target : socket;
}

/**
 * All users may write to the parent folder, so another user may have created the folder first after a restart. A
 * missing folder is not trusted either, because another user could create it before the connection is made.
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
