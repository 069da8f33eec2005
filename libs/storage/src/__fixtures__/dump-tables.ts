import type { Database } from '../database/driver.js';

/** Every row of every table, to compare a database with itself. */
export function dumpTables(database: Database): Readonly<Record<string, readonly unknown[]>> {
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    tables
      .filter((name) => !name.endsWith('_fts'))
      .map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]),
  );
}
