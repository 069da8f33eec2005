import type { Database } from './driver.js';

/** Below this number of rows, SQLite's default estimates are better. */
const FEW_ROWS = 2_000;

/** Updates the statistics of SQLite's query planner. */
export function updateStatistics(database: Database): void {
  database.pragma('optimize');
  dropSmallStatistics(database);
}

/**
 * Deletes statistics of a table that was small. When such a table has grown, SQLite would read all of it for each of
 * its rows, which takes minutes in a queue of ten thousand messages.
 */
export function dropSmallStatistics(database: Database): void {
  const has = (table: string) =>
    database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!has('sqlite_stat1')) return;
  // A row of the statistics starts with the number of rows of the table.
  const small = database.prepare('DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < ?');
  if (small.run(FEW_ROWS).changes === 0) return;
  if (has('sqlite_stat4'))
    database.exec('DELETE FROM sqlite_stat4 WHERE tbl NOT IN (SELECT tbl FROM sqlite_stat1)');
  database.exec('ANALYZE sqlite_schema');
}
