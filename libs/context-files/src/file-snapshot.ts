import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { messageOf } from '@claude-mem/core';
import { clearAbandonedWrites, writeFileAtomically } from '@claude-mem/core/write-file';
import type { FileText } from './find-block.js';

/** Content of a file at one time. */
export type FileSnapshot =
  | { kind: 'missing' }
  | { kind: 'text'; text: FileText; mtimeMs: number }
  /** A file that must not be changed. */
  | { kind: 'unfit'; reason: string };

const MIB = 1024 * 1024;

/** Whether the file is too large for a new block. A larger file with a block is still read, so that the block can be removed. */
export const isLarge = (text: FileText): boolean => text.length > MIB;
export const TOO_LARGE = 'it is larger than 1 MiB';

export function readSnapshot(path: string): FileSnapshot {
  if (!isAbsolute(path)) return unfit('it has no absolute path');
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (isLinked(dirname(path))) return unfit('its folder is a link or is behind a link');
    if (found === undefined) return { kind: 'missing' };
    if (found.isSymbolicLink()) return unfit('it is a link');
    if (!found.isFile()) return unfit('it is not a regular file');
    using file = openPlain(path);
    const stats = fstatSync(file.handle);
    const obstacle = findObstacle(stats);
    if (obstacle !== null) return unfit(obstacle);
    const text = readFileSync(file.handle, 'latin1');
    if (text.includes('\0')) return unfit('it is not plain text');
    return { kind: 'text', text, mtimeMs: stats.mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === 'ENOENT' ? { kind: 'missing' } : unfit(messageOf(error));
  }
}

function findObstacle(found: Stats): string | null {
  if (!found.isFile()) return 'it is not a regular file';
  if (found.nlink > 1) return 'it has a second name (hard link)';
  if (found.size > 2 * MIB) return TOO_LARGE;
  if ((found.mode & 0o200) === 0) return 'it is read-only';
  const isForeign = process.getuid !== undefined && found.uid !== process.getuid();
  return isForeign ? 'it belongs to another user' : null;
}

function isLinked(folder: string): boolean {
  try {
    return realpathSync.native(folder) !== folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    return false;
  }
}

/** Opens a regular file. Does not follow a link and does not wait for a pipe that replaced the file in the meantime. */
export function openPlain(path: string): Disposable & { handle: number } {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return { handle, [Symbol.dispose]: () => closeSync(handle) };
}

/**
 * Replaces the text of the file, or deletes the file when `after` is null. Creates a new file with mode 0600.
 * @returns false when the file has changed since the snapshot
 */
export function replaceSnapshot(path: string, before: FileSnapshot, after: FileText | null): boolean {
  const isUnchanged = () => isSame(readSnapshot(path), before);
  // writeFileAtomically would create a deleted folder again
  if (!existsSync(dirname(path))) return false;
  if (after !== null) return writeFileAtomically(path, Buffer.from(after, 'latin1'), { onlyIf: isUnchanged });
  if (!isUnchanged()) return false;
  rmSync(path, { force: true });
  return true;
}

export const isSame = (one: FileSnapshot, other: FileSnapshot): boolean =>
  one.kind === other.kind && (one.kind !== 'text' || other.kind !== 'text' || one.text === other.text);

const unfit = (reason: string): FileSnapshot => ({ kind: 'unfit', reason });

/** A write takes only milliseconds, so an older temporary file belongs to a killed process. */
const ABANDONED_MS = 3_000;

/** Deletes temporary files of killed writers. Returns true when another writer may be active. */
export const deleteLeftovers = (path: string): boolean => clearAbandonedWrites(path, ABANDONED_MS);
