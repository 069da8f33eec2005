import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noopLogger, type Logger } from '@claude-mem/core';
import { createStoreReader } from './create-store.js';
import { APPLICATION_ID, hasSideFiles, readHeader } from './database/database-file.js';
import { describeForeignFile } from './database/describe-foreign-file.js';
import { loadDriver, type Database } from './database/driver.js';
import { openReadable } from './database/open-connection.js';
import { openCopy, type OpenForReading } from './database/open-copy.js';
import { MIGRATIONS } from './migrations/index.js';
import { readMigrationState } from './migrations/migrate.js';
import { createPendingMessagesReader } from './queue/pending-messages.js';
import { createSearchTables } from './search/create-search-tables.js';
import type { SearchTables } from './search/search-tables.js';
import type { StorageReader } from './storage.js';
import { isUnwritable, StorageError, toStorageError } from './storage-error.js';

export interface OpenStorageReaderOptions {
  /** Path of an existing database. */
  file: string;
  /** Folder for a copy when the folder of the database is read-only. @default the temporary folder */
  temporaryFolder?: string;
  /** @default noopLogger */
  logger?: Logger;
}

/**
 * Opens a database for reading. A worker may write it at the same time. When nothing can be written beside it, a copy
 * is read, which is deleted with the reader.
 * @throws StorageError `storage/unreadable` when it does not exist, `storage/schema-mismatch` when no worker of this
 * version has migrated it yet
 */
export function openStorageReader(options: OpenStorageReaderOptions): StorageReader {
  const file = path.resolve(options.file);
  const logger = options.logger ?? noopLogger;
  if (!existsSync(file))
    throw new StorageError('storage/unreadable', `there is no database at ${file} yet`, { data: { file } });
  const fail = (error: unknown): never => {
    throw toStorageError(error, file);
  };
  let opened: OpenForReading;
  try {
    requireOurHeader(file);
    opened = open(file, options.temporaryFolder ?? tmpdir());
  } catch (error) {
    return fail(error);
  }
  const { database } = opened;
  try {
    requireOurs(database, file);
    const guard = <Port extends object>(port: Port): Port =>
      Object.fromEntries(
        Object.entries(port).map(([name, method]) => [
          name,
          (...parameters: unknown[]) =>
            (method as (...parameters: unknown[]) => Promise<unknown>)(...parameters).catch(fail),
        ]),
      ) as Port;
    const close = async () => opened.close();
    let searchTables: SearchTables | null = null;
    return {
      store: guard(createStoreReader(database, logger)),
      messages: guard(createPendingMessagesReader(database, logger)),
      // Records can be read even when the index is missing.
      get searchTables() {
        try {
          searchTables ??= guardTables(createSearchTables(database), fail);
          return searchTables;
        } catch (error) {
          return fail(error);
        }
      },
      isOutdated: opened.isOutdated,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    opened.close();
    return fail(error);
  }
}

function open(file: string, temporaryFolder: string): OpenForReading {
  const driver = loadDriver();
  try {
    const database = openReadable(driver, file);
    return { database, isOutdated: () => false, close: () => void database.close() };
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return openCopy(driver, file, temporaryFolder);
  }
}

type Read = (...parameters: unknown[]) => unknown;

/** The same tables, whose errors are converted to StorageError. */
function guardTables(tables: SearchTables, fail: (error: unknown) => never): SearchTables {
  const guard =
    (read: Read): Read =>
    (...parameters) => {
      try {
        const value = read(...parameters);
        return isIterator(value) ? guardRows(value, fail) : value;
      } catch (error) {
        return fail(error);
      }
    };
  return Object.fromEntries(
    Object.entries(tables).map(([name, read]) => [name, guard(read as Read)]),
  ) as unknown as SearchTables;
}

const isIterator = (value: unknown): value is IterableIterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value;

function* guardRows(rows: Iterable<unknown>, fail: (error: unknown) => never): Generator<unknown, void> {
  try {
    yield* rows;
  } catch (error) {
    fail(error);
  }
}

/** Checked before SQLite opens the file, because SQLite leaves side files next to a database of another program. */
function requireOurHeader(file: string): void {
  if (hasSideFiles(file)) return;
  const header = readHeaderOf(file);
  const isOurs = header !== null && header !== 'not-sqlite' && header.applicationId === APPLICATION_ID;
  if (isOurs) return;
  const isDatabase = header !== null && header !== 'not-sqlite' && header.hasTables;
  throw isDatabase
    ? foreign(file, describeForeignFile(file))
    : new StorageError('storage/foreign-file', `${file} is not a claude-mem database`, { data: { file } });
}

function readHeaderOf(file: string) {
  try {
    return readHeader(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StorageError(
      'storage/unreadable',
      `${file} cannot be read (${code}): check that it is a file, and its permissions`,
      { cause: error, data: { file } },
    );
  }
}

/** A worker refuses the database of another program. It replaces an empty or a damaged file. */
function foreign(file: string, message: string): StorageError {
  return new StorageError('storage/foreign-file', message, { data: { file, isOfOtherProgram: true } });
}

function requireOurs(database: Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw foreign(file, describeForeignFile(file, database));
  const { pending } = readMigrationState(database, file, MIGRATIONS);
  if (pending.length > 0)
    throw new StorageError(
      'storage/schema-mismatch',
      `${file} is older than this claude-mem; start the worker once, it brings it up to date`,
      { data: { file, pending: pending.map(({ name }) => name) } },
    );
}
