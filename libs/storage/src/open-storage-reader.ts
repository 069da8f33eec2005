import { existsSync } from 'node:fs';
import path from 'node:path';
import { noopLogger, type Logger } from '@claude-mem/core';
import { createStoreReader } from './create-store.js';
import { APPLICATION_ID, hasUnfinishedWork, readHeader } from './database/database-file.js';
import { loadDriver, type Database } from './database/driver.js';
import { openReadable } from './database/open-connection.js';
import { MIGRATIONS } from './migrations/index.js';
import { readMigrationState } from './migrations/migrate.js';
import { createPendingMessagesReader } from './queue/pending-messages.js';
import { createSearchTables } from './search/create-search-tables.js';
import type { SearchTables } from './search-tables.js';
import type { StorageReader } from './storage.js';
import { StorageError, toStorageError } from './storage-error.js';

export interface OpenStorageReaderOptions {
  /** The database; it must exist. */
  file: string;
  /** @default says nothing */
  logger?: Logger;
}

/**
 * Opens a database for reading only. A worker may be writing it, or be away.
 * @throws StorageError `storage/unreadable` where there is none, `storage/schema-mismatch` when a worker of this version
 * has not migrated it yet
 */
export function openStorageReader(options: OpenStorageReaderOptions): StorageReader {
  const file = path.resolve(options.file);
  const logger = options.logger ?? noopLogger;
  if (!existsSync(file))
    throw new StorageError('storage/unreadable', `there is no database at ${file} yet`, { data: { file } });
  const fail = (error: unknown): never => {
    throw toStorageError(error, file);
  };
  let database: Database;
  try {
    requireOurHeader(file);
    database = openReadable(loadDriver(), file);
  } catch (error) {
    return fail(error);
  }
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
    const close = async () => void database.close();
    return {
      store: guard(createStoreReader(database, logger)),
      messages: guard(createPendingMessagesReader(database, logger)),
      searchTables: guardTables(createSearchTables(database), fail),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    database.close();
    return fail(error);
  }
}

/** The same tables, failing with errors of ours. */
function guardTables(tables: SearchTables, fail: (error: unknown) => never): SearchTables {
  const guard =
    <Parameters extends unknown[], Value>(read: (...parameters: Parameters) => Value) =>
    (...parameters: Parameters): Value => {
      try {
        return read(...parameters);
      } catch (error) {
        return fail(error);
      }
    };
  const guardAll = <Parameters extends unknown[], Row>(read: (...parameters: Parameters) => Iterable<Row>) =>
    function* (...parameters: Parameters): Generator<Row, void> {
      try {
        yield* read(...parameters);
      } catch (error) {
        fail(error);
      }
    };
  return {
    snapshot: (work) => guard(() => tables.snapshot(work))(),
    dataVersion: guard(tables.dataVersion),
    state: guard(tables.state),
    documentsAfter: guardAll(tables.documentsAfter),
    removalsAfter: guard(tables.removalsAfter),
    unfoldedAfter: guard(tables.unfoldedAfter),
    termId: guard(tables.termId),
    termsWithPrefix: guard(tables.termsWithPrefix),
    postings: guard(tables.postings),
    matchSyntax: guard(tables.matchSyntax),
    vectorsAfter: guardAll(tables.vectorsAfter),
    vectorsById: guard(tables.vectorsById),
    vectorValues: guard(tables.vectorValues),
    vectorModels: guard(tables.vectorModels),
    outboxCount: guard(tables.outboxCount),
  };
}

/** Before it is opened: looking into a database with a write-ahead log leaves files beside it. */
function requireOurHeader(file: string): void {
  const header = readHeader(file);
  const isOurs = header !== null && header !== 'not-sqlite' && header.applicationId === APPLICATION_ID;
  if (!isOurs && !hasUnfinishedWork(file)) throw foreign(file);
}

function foreign(file: string): StorageError {
  return new StorageError('storage/foreign-file', `${file} is not a claude-mem database`, { data: { file } });
}

function requireOurs(database: Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw foreign(file);
  const { pending } = readMigrationState(database, file, MIGRATIONS);
  if (pending.length > 0)
    throw new StorageError(
      'storage/schema-mismatch',
      `${file} is older than this claude-mem; start the worker once, it brings it up to date`,
      { data: { file, pending: pending.map(({ name }) => name) } },
    );
}
