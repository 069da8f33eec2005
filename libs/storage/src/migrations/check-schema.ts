import type { Database, Driver } from '../database/driver.js';
import { rebuildCounters } from '../records/counters.js';
import { rebuildFullText } from '../records/full-text.js';
import { StorageError } from '../storage-error.js';
import type { Migration } from './migration.js';
import { migrate } from './migrate.js';

interface SchemaObject {
  type: 'table' | 'index' | 'trigger' | 'view';
  name: string;
  sql: string;
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/**
 * Compares the real schema with the one our migrations make, and puts back what can be put back without guessing:
 * columns with a default, indexes, triggers, and tables of derived data. More than we expect is left alone.
 * Returns what was put back, one line each.
 * @throws StorageError `storage/schema-mismatch` naming the first thing that cannot be repaired
 */
export function repairSchema(
  database: Database,
  file: string,
  driver: Driver,
  migrations: readonly Migration[],
): readonly string[] {
  const expected = driver.open(':memory:', {});
  try {
    migrate(expected, ':memory:', migrations, 0);
    if (isComplete(database, expected)) return [];
    return database.transaction(() => putBack(database, expected, file)).immediate();
  } finally {
    expected.close();
  }
}

function isComplete(database: Database, expected: Database): boolean {
  const real = new Map(objectsOf(database).map((object) => [object.name, object]));
  return objectsOf(expected).every((object) => {
    const found = real.get(object.name);
    if (!found) return false;
    return (
      found.sql === object.sql || (object.type === 'table' && columnsMatch(database, expected, object.name))
    );
  });
}

function columnsMatch(database: Database, expected: Database, table: string): boolean {
  const real = new Map(columnsOf(database, table).map((column) => [column.name, column]));
  return columnsOf(expected, table).every(({ name, type }) => real.get(name)?.type === type);
}

function putBack(database: Database, expected: Database, file: string): readonly string[] {
  const done: string[] = [];
  const realNames = () => new Set(objectsOf(database).map(({ name }) => name));
  let names = realNames();
  const wanted = objectsOf(expected);
  const fullTextTables = wanted.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL TABLE'));
  const isPartOfFullText = (name: string) =>
    fullTextTables.some((table) => name.startsWith(`${table.name}_`));

  for (const { name, sql } of fullTextTables) {
    const parts = wanted.filter((object) => object.name === name || object.name.startsWith(`${name}_`));
    if (parts.every((part) => names.has(part.name))) continue;
    dropFullText(database, name, parts);
    database.exec(sql);
    done.push(`created the full-text index ${name} again`);
  }
  if (done.length > 0) rebuildFullText(database);

  for (const { type, name, sql } of wanted) {
    if (type !== 'table' || isPartOfFullText(name) || sql.startsWith('CREATE VIRTUAL')) continue;
    if (!names.has(name)) {
      if (!isDerivedTable(name)) throw mismatch(file, `the table ${name} is missing`, { table: name });
      database.exec(sql);
      done.push(`created the table ${name} again`);
    } else done.push(...addColumns(database, expected, { name, sql }, file));
  }
  names = realNames();
  for (const { type, name, sql } of wanted) {
    if ((type !== 'index' && type !== 'trigger') || names.has(name)) continue;
    database.exec(sql);
    done.push(`created the ${type} ${name} again`);
  }
  if (done.some((line) => line.includes('counte'))) rebuildCounters(database);
  return done;
}

function addColumns(
  database: Database,
  expected: Database,
  table: Pick<SchemaObject, 'name' | 'sql'>,
  file: string,
): readonly string[] {
  const real = new Map(columnsOf(database, table.name).map((column) => [column.name, column]));
  const done: string[] = [];
  for (const column of columnsOf(expected, table.name)) {
    const found = real.get(column.name);
    const place = { table: table.name, column: column.name };
    if (found && found.type !== column.type)
      throw mismatch(
        file,
        `the column ${table.name}.${column.name} is ${found.type}, not ${column.type}`,
        place,
      );
    if (found) continue;
    const definition = definitionOf(table.sql, column.name);
    if (column.pk > 0 || (column.notnull && column.dflt_value === null) || !definition)
      throw mismatch(file, `the column ${table.name}.${column.name} is missing`, place);
    database.exec(`ALTER TABLE ${table.name} ADD COLUMN ${definition}`);
    done.push(`added the missing column ${table.name}.${column.name}`);
  }
  return done;
}

/** Dropping a virtual table whose parts are missing fails, so what is left of it is removed first from the schema's end. */
function dropFullText(database: Database, name: string, parts: readonly SchemaObject[]): void {
  try {
    database.exec(`DROP TABLE IF EXISTS ${name}`);
  } catch (error) {
    throw new StorageError(
      'storage/schema-mismatch',
      `the full-text index ${name} is damaged and cannot be dropped; restore a backup`,
      { cause: error, data: { table: name, parts: parts.map((part) => part.name) } },
    );
  }
}

/** Our migrations write one column per line, so its definition can be read back with its checks. */
function definitionOf(createSql: string, column: string): string | null {
  const line = createSql.split('\n').find((text) => text.trim().startsWith(`${column} `));
  return line ? line.trim().replace(/,$/, '') : null;
}

function objectsOf(database: Database): readonly SchemaObject[] {
  return database
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`)
    .all() as SchemaObject[];
}

function columnsOf(database: Database, table: string): readonly Column[] {
  return database.pragma(`table_xinfo("${table}")`) as Column[];
}

const isDerivedTable = (name: string) => ['counters', 'vectors', 'index_outbox', 'usage'].includes(name);

function mismatch(file: string, what: string, data: Readonly<Record<string, unknown>>): StorageError {
  return new StorageError(
    'storage/schema-mismatch',
    `${file} is not as its migrations made it: ${what}; restore a backup`,
    { data: { file, ...data } },
  );
}
