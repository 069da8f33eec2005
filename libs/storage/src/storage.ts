import type { PendingMessages, Store, VectorOutbox } from '@claude-mem/core';
import type { IndexUpkeep } from '@claude-mem/lexical-index';
import type { JournalMode } from './database/journal-mode.js';
import type { PendingMessagesReader } from './queue/pending-messages.js';
import type { Recovery } from './recovery/quarantined-databases.js';
import type { SearchTables } from './search/search-tables.js';
import type { StoreReader } from './create-store.js';

/** A problem of the database and its fix. */
export interface StorageDiagnostic {
  code:
    | 'database-failed'
    | 'database-kept-aside'
    | 'database-large-log'
    | 'database-repaired'
    | 'database-replaced'
    | 'database-slow-journal';
  severity: 'error' | 'warning' | 'info';
  message: string;
  action: string;
  /** The text and the fix in one line, for small displays. */
  notice: string;
}

/** The state of the database, cheap enough for frequent requests. */
export interface StorageHealth {
  /** `degraded`: it works with problems, see notices. `failed`: nothing can be read or written. */
  status: 'ok' | 'degraded' | 'failed';
  /** Sentences for the user about repairs, recoveries and unusual file systems. */
  notices: readonly string[];
  /** The notices with the fix for each. */
  diagnostics: readonly StorageDiagnostic[];
  file: string;
  journalMode: JournalMode;
  fileSystem: string;
  driver: string;
  /** Number of applied migrations. */
  schemaVersion: number;
  databaseBytes: number;
  walBytes: number;
  /** Time of the last successful integrity check since the opening. */
  lastCheckEpoch: number | null;
  lastBackupEpoch: number | null;
  /** Recoveries since the opening. */
  recoveries: readonly Recovery[];
  /** The last recovery in sentences. Null when there was none. */
  recoveryNotice: string | null;
  /** Quarantined damaged databases beside the current one. */
  quarantined: readonly string[];
}

/**
 * An open database. When an operation finds damage, the database is recovered and the operation is repeated. All
 * methods reject with a `StorageError`.
 */
export interface Storage extends AsyncDisposable {
  readonly store: Store;
  readonly messages: PendingMessages;
  readonly index: IndexUpkeep;
  readonly vectors: VectorOutbox;
  health(): StorageHealth;
  /** Writes a backup and deletes old ones. Resolves to its path. */
  backup(): Promise<string>;
  /**
   * Maintenance for every hour: a full check and a backup when the last one is a day old, returning free space to the
   * file system, and truncating the write-ahead log.
   */
  maintain(): Promise<void>;
  /** The same as disposing. Waits for a running backup or check. */
  close(): Promise<void>;
}

/** A database opened for reading while another process writes it. It never writes, and sees committed changes. */
export interface StorageReader extends AsyncDisposable {
  readonly store: StoreReader;
  readonly messages: PendingMessagesReader;
  readonly searchTables: SearchTables;
  /** True when it reads a copy and the database was written since. It must be opened again. */
  isOutdated(): boolean;
  close(): Promise<void>;
}
