import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { RunResult } from 'better-sqlite3';
import type { Database } from './driver.js';

export type TypedDatabase = BaseSQLiteDatabase<'sync', RunResult>;

/** Creates drizzle queries over an open connection. The usual entry of the package loads its own driver. */
export function createTypedDatabase(database: Database): TypedDatabase {
  const dialect = new SQLiteSyncDialect();
  const session = new BetterSQLiteSession(database, dialect, undefined);
  return new BaseSQLiteDatabase('sync', dialect, session as never, undefined);
}
