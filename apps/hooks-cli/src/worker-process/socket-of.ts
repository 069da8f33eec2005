import type { DataPaths } from '@claude-mem/settings';
import { readIfFile } from '../read-if-file.js';

/** Where the socket of a data directory is, also when its own path would be too long for one. */
export function socketOf({ socket, socketPointer }: DataPaths): string {
  return readIfFile(socketPointer)?.trim() ?? socket;
}
