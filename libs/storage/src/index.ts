export { openStorage, type OpenStorageOptions } from './open-storage.js';
export { openStorageReader, type OpenStorageReaderOptions } from './open-storage-reader.js';
export type { Storage, StorageDiagnostic, StorageHealth, StorageReader } from './storage.js';
export type { StoreReader } from './create-store.js';
export type { PendingMessagesReader } from './queue/pending-messages.js';
export type { ObservationHead, SearchTables } from './search/search-tables.js';
export {
  listQuarantined,
  formatQuarantineNotice,
  type QuarantineNotice,
  type Recovery,
} from './recovery/quarantined-databases.js';
export { listOrphanedLogs } from './database/quarantine-orphaned-log.js';
export { StorageError, type StorageErrorCode } from './storage-error.js';
export { listBackups, type Backup } from './recovery/backups.js';
export { LIST_LIMITS, TEXT_LIMITS } from './limits.js';
export { journalModeFor, type JournalMode } from './database/journal-mode.js';
