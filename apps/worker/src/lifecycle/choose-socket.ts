import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { DataPaths } from '@claude-mem/settings';

/** Maximum length of a socket path on all systems, in bytes. */
const MAX_SOCKET_PATH = 103;

export type SocketChoice = { kind: 'path'; path: string } | { kind: 'none'; reason: string };

/**
 * Returns the path of the unix socket: in the data folder, or, when that path is too long, in a private folder below
 * the system's temporary folder. The pointer file then contains the path for the hooks.
 */
export function chooseSocket(
  paths: DataPaths,
  { userId, sharedDir = '/tmp' }: { userId: number; sharedDir?: string },
): SocketChoice {
  if (Buffer.byteLength(paths.socket) <= MAX_SOCKET_PATH) {
    rmSync(paths.socketPointer, { force: true });
    return { kind: 'path', path: paths.socket };
  }
  const folder = `${sharedDir}/claude-mem-${userId}`;
  const problem = makeOwnFolder(folder, userId);
  if (problem !== null) return { kind: 'none', reason: problem };
  const name = createHash('sha256').update(paths.dataDir).digest('hex').slice(0, 16);
  const path = `${folder}/${name}.sock`;
  writeFileAtomically(paths.socketPointer, `${path}\n`, { replaceLink: true });
  return { kind: 'path', path };
}

/** All users may write to the parent folder, so another user may have created the folder first. */
function makeOwnFolder(folder: string, userId: number): string | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory()) return `${folder} is not a folder`;
  if (found.uid !== userId) return `${folder} belongs to another user`;
  if ((found.mode & 0o077) !== 0) return `${folder} is open to other users`;
  return null;
}
