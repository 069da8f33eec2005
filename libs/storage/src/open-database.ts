import {
  messageOf,
  type Clock,
  type Logger,
  type PendingMessages,
  type VectorOutbox,
} from '@claude-mem/core';
import { isFullTextDamage, type IndexUpkeep } from '@claude-mem/lexical-index';
import { createLedger } from './capture/ledger.js';
import { createStore, type OwnStore } from './create-store.js';
import {
  hasUnfinishedWork,
  identifyFiles,
  makePrivate,
  prepareFile,
  sizeOf,
  type FileIdentity,
} from './database/database-file.js';
import type { Database, Driver } from './database/driver.js';
import type { FileSystem, JournalMode } from './database/journal-mode.js';
import { inspectFile, openWritable } from './database/open-connection.js';
import { quarantineOrphanedLog } from './database/quarantine-orphaned-log.js';
import { dropSmallStatistics } from './database/statistics.js';
import { repairSchema } from './migrations/check-schema.js';
import { migrate, readMigrationState } from './migrations/migrate.js';
import type { Migration } from './migrations/migration.js';
import { createPendingMessages } from './queue/pending-messages.js';
import type { Erase } from './records/erase-forgotten.js';
import { writeBackup } from './recovery/backups.js';
import { checkInBackground, checkOpen } from './recovery/check-file.js';
import type { Recovery } from './recovery/quarantined-databases.js';
import { recoverFile } from './recovery/recover-file.js';
import { StorageError, isCorruption } from './storage-error.js';

/** Dependencies of an open storage that remain when its database is replaced. */
export interface StorageContext {
  file: string;
  backupsDir: string;
  backupKeep: number;
  clock: Clock;
  logger: Logger;
  driver: Driver;
  migrations: readonly Migration[];
  fileSystem: FileSystem;
}

/** One open, migrated database. */
export interface OpenDatabase {
  database: Database;
  journalMode: JournalMode;
  /** The opened files. Null without a write-ahead log, since shared file systems may change inode numbers. */
  files: FileIdentity | null;
  store: OwnStore;
  erase: Erase;
  messages: PendingMessages;
  index: IndexUpkeep;
  vectors: VectorOutbox;
  /** True when the integrity check of the complete file passed during the opening. */
  isChecked: boolean;
  /** Repairs of the schema. */
  repairs: readonly string[];
  recoveries: readonly Recovery[];
}

/** Files up to this size are checked during the opening, larger ones in the background. */
const CHECK_AT_OPEN_BYTES = 8 * 1024 * 1024;

/** Opens the file. A damaged file is replaced first, once. */
export async function openDatabase(
  context: StorageContext,
  earlier: readonly Recovery[] = [],
): Promise<OpenDatabase> {
  const opening: { database?: Database } = {};
  try {
    const opened = await openChecked(context, (database) => (opening.database = database));
    return { ...opened, recoveries: earlier };
  } catch (error) {
    const isDamage =
      isCorruption(error) ||
      isFullTextDamage(error) ||
      (StorageError.isInstance(error) && error.code === 'storage/corrupt');
    if (!isDamage || earlier.length > 0) {
      opening.database?.close();
      throw error;
    }
    const recovery = await recoverFile({
      ...context,
      now: context.clock.now(),
      reason: messageOf(error),
      close: () => opening.database?.close(),
    }).catch((failure: unknown) => {
      opening.database?.close();
      throw failure;
    });
    return openDatabase(context, [recovery]);
  }
}

async function openChecked(
  context: StorageContext,
  onOpen: (database: Database) => void,
): Promise<Omit<OpenDatabase, 'recoveries'>> {
  const { file, driver, migrations, fileSystem, clock, logger } = context;
  const orphanedLog = quarantineOrphanedLog(file, clock.now());
  if (orphanedLog !== null)
    logger.warn({ file: orphanedLog }, 'a write-ahead log without its database was renamed');
  prepareFile(file);
  const wasClean = !hasUnfinishedWork(file);
  let isBehind = false;
  const state = await inspectFile(driver, file, (database) => {
    const { pending, appliedCount } = readMigrationState(database, file, migrations);
    isBehind = appliedCount > 0 && pending.length > 0;
  });
  if (state === 'damaged')
    throw new StorageError('storage/corrupt', `${file} is not a database`, { data: { file } });
  makePrivate(file);

  // Read before the file is opened. A later value could belong to a file that replaced it.
  const identity = identifyFiles(file).database;
  const { database, journalMode } = await openWritable(driver, file, fileSystem);
  onOpen(database);
  const { log } = identifyFiles(file);
  const isChecked = state === 'fresh' || sizeOf(file) <= CHECK_AT_OPEN_BYTES;
  const damage = isChecked ? requireGood(database, file) : [];
  if (isBehind) await backUpBeforeMigration(context, database);
  migrate(database, file, migrations, clock.now());
  const repairs = repairSchema(database, file, driver, migrations);
  for (const repair of repairs) logger.warn({ file, repair }, 'the schema was repaired');
  if (!wasClean) logger.info({ file }, 'the database was not closed the last time');
  dropSmallStatistics(database);
  const ledger = createLedger(database);
  const { store, erase, vectors, search } = createStore(database, ledger, { clock, logger });
  try {
    if (damage.length > 0) {
      logger.warn({ file, damage }, 'The search index is damaged and is being rebuilt');
      await search.upkeep.rebuild();
    } else if (isChecked && state !== 'fresh') await search.upkeep.repair();
    await search.bringUpToDate();
  } catch (error) {
    // Damaged derived data must not prevent access to the records. The maintenance tries again.
    if (isCorruption(error) || isFullTextDamage(error)) throw error;
    logger.warn({ file, error: messageOf(error) }, 'the search index could not be brought up to date');
  }
  return {
    database,
    journalMode,
    // SQLite creates the log of a new file with the first write.
    files: journalMode === 'wal' ? { database: identity, log: log ?? identifyFiles(file).log } : null,
    isChecked,
    repairs,
    store,
    erase,
    index: search.upkeep,
    vectors,
    messages: createPendingMessages(database, ledger, logger),
  };
}

/** Checks for damage of the index only. */
function requireGood(database: Database, file: string): readonly string[] {
  const damage = checkOpen(database);
  if (damage.file.length > 0)
    throw new StorageError('storage/corrupt', `${file} is damaged: ${damage.file.join('; ')}`, {
      data: { file },
    });
  return damage.index;
}

async function backUpBeforeMigration(context: StorageContext, database: Database): Promise<void> {
  const { driver, backupsDir, clock, file } = context;
  const written = await writeBackup({ driver, database, folder: backupsDir, now: clock.now() });
  if (written !== null) return;
  const isDamaged = (await checkInBackground(driver, file)).file.length > 0;
  throw isDamaged
    ? new StorageError('storage/corrupt', `${file} is damaged`, { data: { file } })
    : new StorageError('storage/write-failed', `the backup of ${file} was damaged`, { data: { file } });
}
