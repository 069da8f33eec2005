import { existsSync } from 'node:fs';
import path from 'node:path';
import { noopLogger, systemClock, type Clock, type Logger } from '@claude-mem/core';
import { hasUnfinishedWork, prepareFile, sizeOf } from './database/database-file.js';
import { loadDriver, type Driver } from './database/driver.js';
import { fileSystemOf } from './database/journal-mode.js';
import { MIGRATIONS } from './migrations/index.js';
import type { Migration } from './migrations/migration.js';
import { listBackups } from './recovery/backups.js';
import { recoverFile } from './recovery/recover-file.js';
import { finishRecovery } from './recovery/replace-database.js';
import { openDatabase, type StorageContext } from './open-database.js';
import type { Storage } from './storage.js';
import { toStorageError } from './storage-error.js';
import { superviseStorage } from './supervise-storage.js';

export interface OpenStorageOptions {
  /** Path of the database, which is created with its folder when it does not exist. */
  file: string;
  /** Folder of the backups. */
  backupsDir: string;
  /** Number of stored backups. @default 7 */
  backupKeep?: number;
  /** @default the machine's clock */
  clock?: Clock;
  /** @default noopLogger */
  logger?: Logger;
  /** Overrides the type number of the file system, for mounts with a wrong type. */
  fileSystemType?: number;
}

/**
 * Opens or creates the database: migrates it, repairs it, and copies the readable records of a damaged file to a new
 * one.
 * @throws StorageError; `storage/foreign-file` and `storage/newer-schema` leave the file unchanged
 */
export function openStorage(options: OpenStorageOptions): Promise<Storage> {
  return openStorageWith({ driver: loadDriver(), migrations: MIGRATIONS }, options);
}

/** The same with other migrations or another driver, for tests. */
export async function openStorageWith(
  parts: { driver: Driver; migrations: readonly Migration[] },
  options: OpenStorageOptions,
): Promise<Storage> {
  const file = path.resolve(options.file);
  // An empty file may be a database that lost its content. A missing file is a new database.
  const isEmpty = existsSync(file) && sizeOf(file) === 0;
  finishRecovery(file);
  prepareFile(file);
  const context: StorageContext = {
    ...parts,
    file,
    backupsDir: path.resolve(options.backupsDir),
    backupKeep: options.backupKeep ?? 7,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? noopLogger,
    fileSystem: fileSystemOf(path.dirname(file), options.fileSystemType),
  };
  try {
    const now = context.clock.now();
    const isEmptied =
      isEmpty && sizeOf(file) === 0 && !hasUnfinishedWork(file) && listBackups(context.backupsDir).length > 0;
    const recoveries = isEmptied
      ? [await recoverFile({ ...context, now, reason: 'it is empty', close: () => undefined })]
      : [];
    return superviseStorage(context, await openDatabase(context, recoveries));
  } catch (error) {
    throw toStorageError(error, file);
  }
}
