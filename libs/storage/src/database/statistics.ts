import type { Database } from './driver.js';

/** Below this many rows SQLite's own guesses are the better ones. */
const FEW_ROWS = 2_000;

/** Counts what SQLite chooses its ways through large tables by. */
export function updateStatistics(database: Database): void {
  database.pragma('optimize');
  dropSmallStatistics(database);
}

/**
 * Forgets what was counted while a table was small: believed after it has grown, it makes SQLite read all of it for each of
 * its rows, which takes minutes in a queue of ten thousand messages.
 */
export function dropSmallStatistics(database: Database): void {
  const has = (table: string) =>
    database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!has('sqlite_stat1')) return;
  // a line begins with the number of rows
  const small = database.prepare('DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < ?');
  if (small.run(FEW_ROWS).changes === 0) return;
  if (has('sqlite_stat4'))
    database.exec('DELETE FROM sqlite_stat4 WHERE tbl NOT IN (SELECT tbl FROM sqlite_stat1)');
  database.exec('ANALYZE sqlite_schema');
}
