import type { Database } from '../database/driver.js';

/** Columns of a table that the new database and that of the other schema both have, in the order of the new one. */
export function columnsIn(database: Database, schema: string, table: string): readonly string[] {
  const names = (of: string) =>
    (database.pragma(`${of}.table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
  const there = new Set(names(schema));
  return names('main').filter((name) => there.has(name));
}
