import { ClaudeMemError, messageOf } from '@claude-mem/core';

/**
 * `foreign-file`, `newer-schema`: nothing was written. `schema-mismatch`: the real schema misses something that cannot
 * be added. `corrupt`: damaged, and recovery did not help. `corrupt-row`: one record cannot be read (data: table, id).
 * `busy`: another process held the lock longer than the timeout; worth trying again. `write-failed`: disk full, read-only
 * or failing. `unreadable`: the file or its folder cannot be opened. `refused`: a change that would leave the records
 * without sense. `unknown-record`: a record that a change names is not there (data: id). `changed-meanwhile`: it is not any more
 * what the change was meant for (data: id).
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

/** What SQLite says about damage, as opposed to a fault of the program or the disk. */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return (code.startsWith('SQLITE_CORRUPT') && code !== FULL_TEXT_DAMAGE) || code === 'SQLITE_NOTADB';
}

/** What reading a damaged file says, also where the disk or the schema is at fault. */
export function isUnreadable(error: unknown): boolean {
  const isOfDisk = /^SQLITE_(IOERR_READ|IOERR_SHORT_READ|IOERR_CORRUPTFS|TOOBIG|NOMEM)$/.test(
    sqliteCode(error),
  );
  return isCorruption(error) || isFullTextDamage(error) || isSchemaDamage(error) || isOfDisk;
}

/** Damage in an index of FTS5 alone: the records are as they were. */
export function isFullTextDamage(error: unknown): boolean {
  return sqliteCode(error) === FULL_TEXT_DAMAGE;
}

/** Damage in the index of words alone, of FTS5 or ours. */
export function isIndexDamage(error: unknown): boolean {
  return isFullTextDamage(error) || (StorageError.isInstance(error) && error.code === 'storage/corrupt');
}

/** Something that our statements name is not in the schema: somebody else changed it. */
export function isSchemaDamage(error: unknown): boolean {
  const isNamed = /^no such (table|column|index)|has no column named/.test(messageOf(error));
  return isNamed && sqliteCode(error) === 'SQLITE_ERROR';
}

const FULL_TEXT_DAMAGE = 'SQLITE_CORRUPT_VTAB';

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(sqliteCode(error));
}

/** A read-only connection met a journal or a shared-memory file that only a connection with write access can finish. */
export function isInterrupted(error: unknown): boolean {
  return /^SQLITE_READONLY_(ROLLBACK|RECOVERY|CANTINIT)$/.test(sqliteCode(error));
}

/** What reading a database says where SQLite may not write its files beside it. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error));
}

/** Gives an error of SQLite a code of ours; every other error is passed on as it is. */
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
      `${file} is not whole (${messageOf(error)}): a running worker puts back what can be made anew; run: claude-mem restart`,
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
