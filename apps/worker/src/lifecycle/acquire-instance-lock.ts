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

/** The newer driver has binaries for Node 22 and later; where it is not installed the other one serves. */
function loadDriver(load = createRequire(import.meta.url)): LockDriver {
  const isNewer = Number(process.versions.node.split('.')[0]) >= 22;
  const names = isNewer ? ['better-sqlite3-n22', 'better-sqlite3'] : ['better-sqlite3'];
  const failures: unknown[] = [];
  for (const name of names) {
    try {
      return load(name) as LockDriver;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}
