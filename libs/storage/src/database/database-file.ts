import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { messageOf } from '@claude-mem/core';
import { StorageError } from '../storage-error.js';

/** `cmem` in ASCII: identifies a SQLite file of claude-mem. */
export const APPLICATION_ID = 0x636d656d;

/** Number of bytes to read: the file header and the header of the first page, which contains the table list. */
const HEADER_BYTES = 108;
const OWNER_ONLY = 0o600;

/** Files beside an open database of SQLite. */
const SIDES = ['-wal', '-shm', '-journal'];

export interface FileHeader {
  applicationId: number;
  /** False for a file that contains only the header. */
  hasTables: boolean;
}

export interface FileIdentity {
  database: string | null;
  log: string | null;
}

/**
 * Creates the folder and an empty file when they do not exist. Only the owner may read an empty file, whatever the umask;
 * SQLite gives its side files the same mode. A file with content keeps its mode. An existing file is not opened: POSIX drops
 * all locks that a process holds on a file when the process closes any descriptor of the file, and SQLite may have it open.
 */
export function prepareFile(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) closeSync(openSync(file, 'a', OWNER_ONLY));
    else if (!found.isFile()) throw new Error('it is not a file');
    // A file with content may belong to another program.
    if (sizeOf(file) === 0) makePrivate(file);
  } catch (error) {
    throw new StorageError(
      'storage/unreadable',
      `${file} cannot be opened for writing: ${messageOf(error)}`,
      {
        cause: error,
        data: { file },
      },
    );
  }
}

/** Permissions: only the owner can read and write. */
export function makePrivate(file: string): void {
  chmodSync(file, OWNER_ONLY);
}

/**
 * The beginning of a SQLite file. Null when it is empty, `not-sqlite` for another format. Only for a file without
 * side files, which no connection has open: closing the descriptor releases the locks of SQLite (see `prepareFile`).
 */
export function readHeader(file: string): FileHeader | 'not-sqlite' | null {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  let length: number;
  try {
    length = readSync(descriptor, bytes, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  if (length === 0) return null;
  if (length < HEADER_BYTES || bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') return 'not-sqlite';
  const isEmptyLeaf = bytes[100] === 0x0d && bytes.readUInt16BE(103) === 0;
  return { applicationId: bytes.readUInt32BE(68), hasTables: !isEmptyLeaf };
}

/**
 * Returns whether the log of a database remains: a process still has the database open, or exited without closing it.
 */
export function hasUnfinishedWork(file: string): boolean {
  return sizeOf(`${file}-wal`) > 0 || sizeOf(`${file}-journal`) > 0;
}

/** Checks whether a connection has the database open, or a process exited without closing it. */
export function hasSideFiles(file: string): boolean {
  return SIDES.some((side) => existsSync(file + side));
}

/**
 * Device and inode of the database and its write-ahead log. They change when another program replaces or removes a
 * file.
 */
export function identifyFiles(file: string): FileIdentity {
  return { database: identityOf(file), log: identityOf(`${file}-wal`) };
}

/** Device and inode. Null when there is no file or its folder cannot be entered. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Copies a database with the log or journal of a crashed process. Only the owner can read the copy. */
export function copyDatabase(file: string, copy: string): void {
  for (const side of ['', '-wal', '-journal']) {
    if (side !== '' && sizeOf(file + side) === 0) continue;
    copyFileSync(file + side, copy + side, constants.COPYFILE_FICLONE);
    makePrivate(copy + side);
  }
}

/** Deletes a database and its side files. */
export function removeDatabase(file: string): void {
  rmSync(file, { force: true });
  removeSideFiles(file);
}

export function removeSideFiles(file: string): void {
  for (const side of SIDES) rmSync(file + side, { force: true });
}

/** Flushes a written file and its directory entry to the disk. */
export function syncFile(file: string): void {
  for (const target of process.platform === 'win32' ? [file] : [file, path.dirname(file)]) {
    const descriptor = openSync(target, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
