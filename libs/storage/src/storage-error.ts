import { ClaudeMemError, messageOf } from '@claude-mem/core';
import { isFullTextDamage } from '@claude-mem/lexical-index';

/**
 * `foreign-file`, `newer-schema`: nothing was written. `schema-mismatch`: a missing part of the schema cannot be
 * added. `corrupt`: the file is damaged, and the recovery failed. `corrupt-row`: one record cannot be read (data:
 * table, id). `busy`: another process held the lock longer than the timeout; a retry can succeed. `write-failed`: the
 * disk is full, read-only or failing. `unreadable`: the file or its folder cannot be opened. `refused`: the change
 * would make the records inconsistent. `unknown-record`: a record of the change does not exist (data: id).
 * `changed-meanwhile`: the record was changed since the client read it (data: id).
 */
export type StorageErrorCode =
  | 'storage/foreign-file'
  | 'storage/newer-schema'
  | 'storage/schema-mismatch'
  | 'storage/corrupt'
  | 'storage/corrupt-row'
  | 'storage/driver-unavailable'
  | 'storage/busy'
  | 'storage/unreadable'
  | 'storage/write-failed'
  | 'storage/network-filesystem'
  | 'storage/bad-cursor'
  | 'storage/refused'
  | 'storage/unknown-record'
  | 'storage/changed-meanwhile'
  | 'storage/closed';

export class StorageError extends ClaudeMemError<StorageErrorCode> {
  static override isInstance(value: unknown): value is StorageError {
    return ClaudeMemError.isInstance(value) && value.code.startsWith('storage/');
  }
}

/** Error codes for a damaged file, as opposed to errors of the program or the disk. */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return (code.startsWith('SQLITE_CORRUPT') && !isFullTextDamage(error)) || code === 'SQLITE_NOTADB';
}

/** Error messages for a damaged file, even when the code names the disk or the schema. */
export function isUnreadable(error: unknown): boolean {
  const isOfDisk = /^SQLITE_(IOERR_READ|IOERR_SHORT_READ|IOERR_CORRUPTFS|TOOBIG|NOMEM)$/.test(
    sqliteCode(error),
  );
  return isCorruption(error) || isFullTextDamage(error) || isSchemaDamage(error) || isOfDisk;
}

/** A statement refers to a missing object of the schema, because another program changed it. */
export function isSchemaDamage(error: unknown): boolean {
  const isNamed = /^no such (table|column|index)|has no column named/.test(messageOf(error));
  return isNamed && sqliteCode(error) === 'SQLITE_ERROR';
}

/** The open database was replaced or removed. SQLite reports it only when it writes with a rollback journal. */
export function isMoved(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_READONLY_DBMOVED';
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(sqliteCode(error));
}

/** A read-only connection found a journal or a shared-memory file that only a writable connection can process. */
export function isInterrupted(error: unknown): boolean {
  return /^SQLITE_READONLY_(ROLLBACK|RECOVERY|CANTINIT)$/.test(sqliteCode(error));
}

/** Errors of reading a database when SQLite cannot write its side files. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error));
}

/** Converts an error of SQLite to a StorageError. Other errors are returned unchanged. */
export function toStorageError(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  if (code === '' || StorageError.isInstance(error)) return error;
  const options = { cause: error, data: { file, sqlite: code } };
  if (isBusy(error))
    return new StorageError('storage/busy', `another process keeps ${file} locked; try again`, options);
  if (isCorruption(error) || isFullTextDamage(error))
    return new StorageError('storage/corrupt', `${file} is damaged (${code})`, options);
  if (isSchemaDamage(error))
    return new StorageError(
      'storage/schema-mismatch',
      `${file} is incomplete (${messageOf(error)}): a running worker rebuilds tables with derived data; run: claude-mem restart`,
      options,
    );
  if (/^SQLITE_(FULL|READONLY|IOERR)/.test(code))
    return new StorageError(
      'storage/write-failed',
      `${file} cannot be written (${code}): check free space and permissions`,
      options,
    );
  if (/^SQLITE_(CANTOPEN|PERM|AUTH)/.test(code))
    return new StorageError(
      'storage/unreadable',
      `${file} cannot be opened (${code}): check its permissions, and those of its folder, in which SQLite must be able to write even to read`,
      options,
    );
  return error;
}

function sqliteCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}
