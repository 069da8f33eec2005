import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { StorageError } from '../storage-error.js';

export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement<unknown[], unknown>;

export interface Driver {
  /** Name of the working package. */
  name: string;
  /** Path of the package, for threads that load it. */
  location: string;
  open(file: string, options: BetterSqlite3.Options): Database;
}

/**
 * Package names to try on this Node version, best first. The newer package has compiled binaries for Node 22 and
 * newer.
 */
export function driverCandidates(nodeVersion: string): readonly string[] {
  const major = Number(nodeVersion.replace(/^v/, '').split('.')[0]);
  return major >= 22 ? ['better-sqlite3-n22', 'better-sqlite3'] : ['better-sqlite3'];
}

/**
 * Loads the first working SQLite driver. Opens a database in memory, because a missing binary is only detected then.
 * @throws StorageError `storage/driver-unavailable` with the fix in one line
 */
export function loadDriver(load: NodeJS.Require = createRequire(import.meta.url)): Driver {
  const failures: unknown[] = [];
  for (const name of driverCandidates(process.versions.node)) {
    try {
      const Constructor = load(name) as typeof BetterSqlite3;
      new Constructor(':memory:').close();
      return {
        name,
        location: load.resolve(name),
        open: (file, options) => new Constructor(file, options),
      };
    } catch (error) {
      failures.push(error);
    }
  }
  // npm removes the package when it cannot compile it, and then cannot rebuild it.
  const isAbsent = failures.every((error) => (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND');
  const command = isAbsent ? 'npm install' : 'npm rebuild better-sqlite3';
  throw new StorageError(
    'storage/driver-unavailable',
    `SQLite cannot be loaded on Node ${process.versions.node}; fix: use Node 22.12 or newer, which needs no compiler (CLAUDE_MEM_NODE names it), or install python3, make and a C++ compiler and run "${command}" where claude-mem is installed`,
    { cause: failures[0] },
  );
}
