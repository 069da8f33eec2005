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
import type { FileText } from './our-block.js';

/** A file at one moment. */
export type FileSnapshot =
  | { kind: 'missing' }
  | { kind: 'text'; text: FileText; mtimeMs: number }
  /** Something that is not ours to change. */
  | { kind: 'unfit'; reason: string };

const MIB = 1024 * 1024;

/** Too large to be given a block. One that grew since it has one is still read, to take it out again. */
export const isLarge = (text: FileText): boolean => text.length > MIB;
export const TOO_LARGE = 'it is larger than 1 MiB';

export function readSnapshot(path: string): FileSnapshot {
  if (!isAbsolute(path)) return unfit('it has no absolute path');
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (isLinked(dirname(path))) return unfit('its folder is a link, or lies behind one');
    if (found === undefined) return { kind: 'missing' };
    if (found.isSymbolicLink()) return unfit('it is a link');
    if (!found.isFile()) return unfit('it is no file');
    using file = openPlain(path);
    const stats = fstatSync(file.handle);
    const obstacle = obstacleIn(stats);
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

function obstacleIn(found: Stats): string | null {
  if (!found.isFile()) return 'it is no file';
  if (found.nlink > 1) return 'it has a second name (hard link)';
  if (found.size > 2 * MIB) return TOO_LARGE;
  if ((found.mode & 0o200) === 0) return 'it is read-only';
  const isOfAnother = process.getuid !== undefined && found.uid !== process.getuid();
  return isOfAnother ? 'it belongs to another user' : null;
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

/** The file itself, whatever becomes of its name. What took its place meanwhile, a link or a pipe, is neither followed nor waited for. */
export function openPlain(path: string): Disposable & { handle: number } {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return { handle, [Symbol.dispose]: () => closeSync(handle) };
}

/**
 * Gives the file a new text, or removes it for null, unless it is no longer as in the snapshot. A new file is for its owner only.
 * @returns false when somebody changed it meanwhile
 */
export function replaceSnapshot(path: string, before: FileSnapshot, after: FileText | null): boolean {
  const isUnchanged = () => isSame(readSnapshot(path), before);
  // writing would make it anew
  if (!existsSync(dirname(path))) return false;
  if (after !== null) return writeFileAtomically(path, Buffer.from(after, 'latin1'), { onlyIf: isUnchanged });
  if (!isUnchanged()) return false;
  rmSync(path, { force: true });
  return true;
}

export const isSame = (one: FileSnapshot, other: FileSnapshot): boolean =>
  one.kind === other.kind && (one.kind !== 'text' || other.kind !== 'text' || one.text === other.text);

const unfit = (reason: string): FileSnapshot => ({ kind: 'unfit', reason });

/** A write takes some milliseconds. */
const ABANDONED_MS = 3_000;

/** Takes away what a writer that was killed left beside the file; true: somebody may be at it just now. */
export const clearLeftovers = (path: string): boolean => clearAbandonedWrites(path, ABANDONED_MS);
