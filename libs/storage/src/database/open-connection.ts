import { StorageError, isBusy, isInterrupted } from '../storage-error.js';
import { APPLICATION_ID, hasSideFiles, readHeader, sizeOf } from './database-file.js';
import { describeForeignFile } from './describe-foreign-file.js';
import type { Database, Driver } from './driver.js';
import { journalModeFor, type FileSystem, type JournalMode } from './journal-mode.js';

/** How long a statement waits for another process's lock. */
export const BUSY_TIMEOUT_MS = 6_000;
/** The write-ahead log is cut back to this once its content is in the database. */
export const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** Pages in the write-ahead log after which a commit copies them into the database. */
export const AUTOCHECKPOINT_PAGES = 2_000;

const OPEN_PATIENCE_MS = 15_000;

/**
 * Opens for writing. The busy timeout comes before every other pragma, and what another process may block for a moment
 * while it creates the same file is tried again for a bounded time.
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

/** Opens for reading; the file must exist. Nothing is written to it. */
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
 * Looks at a file before it is opened for writing.
 * @throws StorageError `storage/foreign-file` for a database of another program; whatever `check` throws
 */
export async function inspectFile(
  driver: Driver,
  file: string,
  check: (database: Database) => void,
): Promise<'fresh' | 'ours' | 'damaged'> {
  return retryWhile(isInTransition, () => {
    if (sizeOf(file) === 0) return 'fresh';
    // without side files the header is enough, and SQLite leaves none beside the file of another program
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
    // A journal that a crash left can only be played back by a connection that may write.
    const database = hasJournal
      ? driver.open(file, { timeout: BUSY_TIMEOUT_MS })
      : openReadable(driver, file);
    try {
      // one snapshot: another process may be creating the schema
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

/** Another process is creating the file, or began a change that a read-only connection may not roll back. */
const isInTransition = (error: unknown) => isBusy(error) || isInterrupted(error);

/** Repeats a failed attempt for a bounded time, as long as its error can be retried. */
async function retryWhile<Value>(
  canRetry: (error: unknown) => boolean,
  attempt: () => Value,
): Promise<Value> {
  const deadline = performance.now() + OPEN_PATIENCE_MS;
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
  // Only an empty file takes the page layout that lets freed pages go back to the disk.
  if ((database.pragma('page_count', { simple: true }) as number) === 0)
    database.pragma('auto_vacuum = INCREMENTAL');
  if (journalMode === 'delete') database.pragma('locking_mode = EXCLUSIVE');
  database.pragma(`journal_mode = ${journalMode}`);
  if (journalMode === 'delete') database.pragma('locking_mode = NORMAL');
  // FULL: an acknowledged event also survives a power cut. Events come in groups, so it is one sync per group.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  database.pragma('cache_size = -16000');
  database.pragma('trusted_schema = OFF');
}
