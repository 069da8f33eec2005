import { chmodSync } from 'node:fs';
import { loadDriver, type Database } from '@claude-mem/storage/driver';

export type InstanceLock =
  | { kind: 'acquired'; release(): void }
  /** Another worker owns this data folder. */
  | { kind: 'taken' }
  /** Locks do not work on this file system. Logs the reason and continues without one. */
  | { kind: 'unavailable'; cause: unknown };

/**
 * Acquires the exclusive lock of a data folder: an open SQLite transaction on a separate file. The system releases it
 * when the process exits for any reason, so it is never stale.
 */
export function acquireInstanceLock(file: string): InstanceLock {
  let database: Database;
  try {
    database = loadDriver().open(file, { timeout: 0 });
  } catch (error) {
    return { kind: 'unavailable', cause: error };
  }
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    chmodSync(file, 0o600);
    return { kind: 'acquired', release: () => database.close() };
  } catch (error) {
    database.close();
    const code = (error as { code?: string }).code ?? '';
    return code.startsWith('SQLITE_BUSY') ? { kind: 'taken' } : { kind: 'unavailable', cause: error };
  }
}
