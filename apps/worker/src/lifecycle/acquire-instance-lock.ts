import { chmodSync } from 'node:fs';
import { loadDriver, type Database } from '@claude-mem/storage/driver';

export type InstanceLock =
  | { kind: 'acquired'; release(): void }
  /** Another worker owns this data directory. */
  | { kind: 'taken' }
  /** Locks do not work here; say why and go on without. */
  | { kind: 'unavailable'; cause: unknown };

/**
 * Takes the exclusive lock of a data directory: an open SQLite transaction on a file of its own. The system drops it with
 * the process, whatever ends that, so there is nothing stale to clean up and no process id to trust.
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
