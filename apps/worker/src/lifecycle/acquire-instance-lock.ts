import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';

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
  let database: LockDatabase;
  try {
    database = new (loadDriver())(file, { timeout: 0 });
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

interface LockDatabase {
  exec(sql: string): unknown;
  close(): unknown;
}
type LockDriver = new (file: string, options: { timeout: number }) => LockDatabase;

function loadDriver(): LockDriver {
  const require = createRequire(import.meta.url);
  if (Number(process.versions.node.split('.')[0]) < 22) return require('better-sqlite3') as LockDriver;
  try {
    return require('better-sqlite3-n22') as LockDriver;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return require('better-sqlite3') as LockDriver;
  }
}
