import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { RunResult } from 'better-sqlite3';
import type { Database } from './driver.js';

export type TypedDatabase = BaseSQLiteDatabase<'sync', RunResult>;

/** Typed queries over an open connection. Put together here because the usual way in loads a driver of its own choice. */
export function createTypedDatabase(database: Database): TypedDatabase {
  const dialect = new SQLiteSyncDialect();
  const session = new BetterSQLiteSession(database, dialect, undefined);
  return new BaseSQLiteDatabase('sync', dialect, session as never, undefined);
}
