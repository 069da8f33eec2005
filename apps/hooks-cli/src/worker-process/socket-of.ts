import { existsSync, readFileSync } from 'node:fs';
import type { DataPaths } from '@claude-mem/settings';

/** Where the socket of a data directory is, also when its own path would be too long for one. */
export function socketOf({ socket, socketPointer }: DataPaths): string {
  return existsSync(socketPointer) ? readFileSync(socketPointer, 'utf8').trim() : socket;
}
