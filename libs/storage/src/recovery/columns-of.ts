import type { Database } from '../database/driver.js';

export interface Column {
  name: string;
  type: string;
  /** SQL expression of the default. */
  dflt_value: string | null;
  /** Position in the primary key, from 1; 0 for other columns. */
  pk: number;
}

export function columnsOf(database: Database, table: string, schema = 'main'): readonly Column[] {
  return database.pragma(`${schema}.table_info("${table}")`) as Column[];
}

/** Returns the names of the columns that both tables have, in the order of the first. */
export function commonColumns(first: readonly Column[], second: readonly Column[]): readonly string[] {
  const names = new Set(second.map(({ name }) => name));
  return first.map(({ name }) => name).filter((name) => names.has(name));
}
