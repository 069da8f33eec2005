import { StorageError, isBusy, isInterrupted } from '../storage-error.js';
import { APPLICATION_ID, hasSideFiles, readHeader, sizeOf } from './database-file.js';
import { describeForeignFile } from './describe-foreign-file.js';
import type { Database, Driver } from './driver.js';
import { journalModeFor, type FileSystem, type JournalMode } from './journal-mode.js';

/** Milliseconds that a statement waits for the lock of another process. */
export const BUSY_TIMEOUT_MS = 6_000;
/** Size to which the write-ahead log is truncated after a checkpoint. */
export const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** Pages in the write-ahead log after which a commit starts a checkpoint. */
export const AUTOCHECKPOINT_PAGES = 2_000;

const OPEN_RETRY_MS = 15_000;

/**
 * Opens a database for writing. The busy timeout is set before every other pragma. Errors that occur while another
 * process creates the same file are retried for a limited time.
 */
export async function openWritable(
  driver: Driver,
  file: string,
  fileSystem: FileSystem,
): Promise<{ database: Database; journalMode: JournalMode }> {
  const journalMode = journalModeFor(fileSystem.type);
  const database = await retryWhile(isBusy, () => {
    const opened = driver.open(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      setPragmas(opened, journalMode);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }).catch((error: unknown) => {
    if (fileSystem.isShared && isBusy(error))
      throw new StorageError(
        'storage/network-filesystem',
        `${file} is on ${fileSystem.name} and locked by another machine or process; keep the data directory on a local disk`,
        { cause: error, data: { file, fileSystem: fileSystem.name } },
      );
    throw error;
  });
  return { database, journalMode };
}

/** Opens an existing database for reading. Writes nothing to it. */
export function openReadable(driver: Driver, file: string): Database {
  const database = driver.open(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma('query_only = ON');
    database.pragma('cache_size = -8000');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Checks a file before it is opened for writing.
 * @throws StorageError `storage/foreign-file` for a database of another program; errors of `check`
 */
export async function inspectFile(
  driver: Driver,
  file: string,
  check: (database: Database) => void,
): Promise<'fresh' | 'ours' | 'damaged'> {
  return retryWhile(isInTransition, () => {
    if (sizeOf(file) === 0) return 'fresh';
    // Without side files the header is enough, and SQLite leaves none beside the file of another program.
    if (!hasSideFiles(file)) {
      const header = readHeader(file);
      if (header === null) return 'fresh';
      if (header === 'not-sqlite') return 'damaged';
      if (header.applicationId !== APPLICATION_ID) {
        requireOurs(file, header.applicationId, header.hasTables);
        return 'fresh';
      }
    }
    const hasJournal = sizeOf(`${file}-journal`) > 0;
    // Only a writable connection can roll back the journal that a crash left.
    const database = hasJournal
      ? driver.open(file, { timeout: BUSY_TIMEOUT_MS })
      : openReadable(driver, file);
    try {
      // Reads one snapshot, because another process may be creating the schema.
      const read = database.transaction(() => ({
        applicationId: database.pragma('application_id', { simple: true }) as number,
        objects: database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number,
      }));
      const { applicationId, objects } = read();
      requireOurs(file, applicationId, objects > 0, database);
      check(database);
      return objects === 0 ? 'fresh' : 'ours';
    } finally {
      database.close();
    }
  });
}

function requireOurs(file: string, applicationId: number, hasTables: boolean, database?: Database): void {
  if (applicationId === APPLICATION_ID || (applicationId === 0 && !hasTables)) return;
  throw new StorageError('storage/foreign-file', describeForeignFile(file, database), {
    data: { file, applicationId },
  });
}

/** Another process is creating the file, or left a change that a read-only connection cannot roll back. */
const isInTransition = (error: unknown) => isBusy(error) || isInterrupted(error);

/** Repeats a failed attempt for a limited time while its error is temporary. */
async function retryWhile<Value>(
  canRetry: (error: unknown) => boolean,
  attempt: () => Value,
): Promise<Value> {
  const deadline = performance.now() + OPEN_RETRY_MS;
  for (let delay = 5; ; delay = Math.min(delay * 2, 100)) {
    try {
      return attempt();
    } catch (error) {
      if (!canRetry(error) || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
    }
  }
}

function setPragmas(database: Database, journalMode: JournalMode): void {
  // Only an empty file accepts the page layout that allows free pages to be returned to the file system.
  if ((database.pragma('page_count', { simple: true }) as number) === 0)
    database.pragma('auto_vacuum = INCREMENTAL');
  if (journalMode === 'delete') database.pragma('locking_mode = EXCLUSIVE');
  database.pragma(`journal_mode = ${journalMode}`);
  if (journalMode === 'delete') database.pragma('locking_mode = NORMAL');
  // FULL: an acknowledged event also survives a power failure. Events are committed in groups, with one sync per group.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  database.pragma('cache_size = -16000');
  database.pragma('trusted_schema = OFF');
}
