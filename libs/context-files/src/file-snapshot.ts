import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '@claude-mem/core';
import { clearAbandonedWrites, writeFileAtomically } from '@claude-mem/core/write-file';
import type { FileText } from './our-block.js';

/** A file at one moment. */
export type FileSnapshot =
  | { kind: 'missing' }
  | { kind: 'text'; text: FileText; mtimeMs: number }
  /** Something that is not ours to change. */
  | { kind: 'unfit'; reason: string };

const MAX_BYTES = 1024 * 1024;

export function readSnapshot(path: string): FileSnapshot {
  if (!isAbsolute(path)) return unfit('it has no absolute path');
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'missing' };
    if (found.isSymbolicLink()) return unfit('it is a link');
    if (!found.isFile()) return unfit('it is no file');
    if (found.nlink > 1) return unfit('it has a second name (hard link)');
    if (found.size > MAX_BYTES) return unfit('it is larger than 1 MiB');
    if ((found.mode & 0o200) === 0) return unfit('it is read-only');
    if (process.getuid !== undefined && found.uid !== process.getuid())
      return unfit('it belongs to another user');
    const text = readFileSync(path, 'latin1');
    if (text.includes('\0')) return unfit('it is not plain text');
    return { kind: 'text', text, mtimeMs: found.mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return unfit(messageOf(error));
  }
}

/**
 * Gives the file a new text, or removes it for null, unless it is no longer as in the snapshot. A new file is for its owner only.
 * @returns false when somebody changed it meanwhile
 */
export function replaceSnapshot(path: string, before: FileSnapshot, after: FileText | null): boolean {
  const isUnchanged = () => isSame(readSnapshot(path), before);
  if (after !== null) return writeFileAtomically(path, Buffer.from(after, 'latin1'), { onlyIf: isUnchanged });
  if (!isUnchanged()) return false;
  clearAbandonedWrites(path);
  rmSync(path, { force: true });
  return true;
}

export const isSame = (one: FileSnapshot, other: FileSnapshot): boolean =>
  one.kind === other.kind && (one.kind !== 'text' || other.kind !== 'text' || one.text === other.text);

const unfit = (reason: string): FileSnapshot => ({ kind: 'unfit', reason });
