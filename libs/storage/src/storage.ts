import type { PendingMessages, Store, VectorOutbox } from '@claude-mem/core';
import type { JournalMode } from './database/journal-mode.js';
import type { PendingMessagesReader } from './queue/pending-messages.js';
import type { Recovery } from './recovery/kept-aside.js';
import type { SearchTables } from './search-tables.js';
import type { SearchIndex } from './search/search-index.js';
import type { StoreReader } from './create-store.js';

/** What a person should know about the database, and do. */
export interface StorageFinding {
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
  /** Both in one line, for where there is no more room. */
  notice: string;
}

/** How the database is, cheap enough to ask at any moment. */
export interface StorageHealth {
  /** `degraded`: it works, and a person should read the notices. `failed`: nothing can be read or written any more. */
  status: 'ok' | 'degraded' | 'failed';
  /** Plain sentences for a person: what was repaired, recovered, or is unusual about the place. */
  notices: readonly string[];
  /** The same with what to do about each. */
  findings: readonly StorageFinding[];
  file: string;
  journalMode: JournalMode;
  fileSystem: string;
  driver: string;
  /** Number of migrations the database has. */
  schemaVersion: number;
  databaseBytes: number;
  walBytes: number;
  /** When the whole file was last found good since it was opened. */
  lastCheckEpoch: number | null;
  lastBackupEpoch: number | null;
  /** What was recovered since it was opened. */
  recoveries: readonly Recovery[];
  /** The last of them in plain sentences; null when there was none. */
  recoveryNotice: string | null;
  /** Damaged databases that lie beside the good one. */
  keptAside: readonly string[];
}

/**
 * The open database. Damage that shows in any operation is recovered from, and the operation is done again on what was
 * restored. Everything rejects with a `StorageError`.
 */
export interface Storage extends AsyncDisposable {
  readonly store: Store;
  readonly messages: PendingMessages;
  readonly index: SearchIndex;
  readonly vectors: VectorOutbox;
  health(): StorageHealth;
  /** Writes a backup now and keeps the newest ones. Resolves to its path. */
  backup(): Promise<string>;
  /**
   * What should happen every hour or so: a full check and a backup when the last is a day old, giving freed space back to
   * the disk, and cutting the write-ahead log.
   */
  maintain(): Promise<void>;
  /** The same as disposing. Waits for a backup or a check that is running. */
  close(): Promise<void>;
}

/** A database opened for reading, beside a process that writes it. It never writes, and sees what is committed. */
export interface StorageReader extends AsyncDisposable {
  readonly store: StoreReader;
  readonly messages: PendingMessagesReader;
  readonly searchTables: SearchTables;
  /** True when it reads a copy and the database was written since: to be opened again. */
  isOutdated(): boolean;
  close(): Promise<void>;
}
