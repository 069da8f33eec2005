import type { Database } from '../database/driver.js';
import { DERIVED_TABLES } from '../migrations/check-schema.js';
import { columnsOf } from './columns-of.js';

/** A table whose rows are not derived from other tables, and how to iterate over its rows. */
export interface CanonicalTable {
  name: string;
  primaryKey: readonly string[];
  /** Column for ranges of rows. Null when the table has no such integer column. */
  key: string | null;
  /** True when a key identifies one row. */
  isUnique: boolean;
}

/** Parent tables come before their child tables. */
const ORDER = ['projects', 'sdk_sessions'];

/** Returns the tables whose rows cannot be rebuilt from other tables. */
export function canonicalTables(database: Database): readonly CanonicalTable[] {
  const tables = database.pragma('table_list') as {
    schema: string;
    name: string;
    type: string;
    wr: number;
  }[];
  const isCanonical = ({ schema, name, type }: (typeof tables)[number]) =>
    schema === 'main' &&
    type === 'table' &&
    !/^sqlite_/.test(name) &&
    name !== 'migrations' &&
    !DERIVED_TABLES.has(name);
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return tables
    .filter(isCanonical)
    .map(({ name, wr }) => tableOf(database, name, wr === 1))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

export function tableOf(database: Database, name: string, isWithoutRowid = false): CanonicalTable {
  if (!isWithoutRowid) return { name, primaryKey: ['rowid'], key: 'rowid', isUnique: true };
  const parts = columnsOf(database, name)
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk);
  const [first] = parts;
  return {
    name,
    primaryKey: parts.map((part) => part.name),
    key: first?.type === 'INTEGER' ? first.name : null,
    isUnique: false,
  };
}
