import { rebuildIndex } from '@claude-mem/lexical-index';
import type { Database, Driver } from '../database/driver.js';
import { rebuildCounters } from '../records/counters.js';
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
 * Compares the real schema with the schema of the migrations, and restores columns with a default, indexes, triggers
 * and tables of derived data. Additional objects are ignored. Returns the repairs, one line each.
 * @throws StorageError `storage/schema-mismatch` with the first object that cannot be restored
 */
export function repairSchema(
  database: Database,
  file: string,
  driver: Driver,
  migrations: readonly Migration[],
): readonly string[] {
  const expected = schemaOf(driver, migrations);
  if (isComplete(database, expected)) return [];
  return database.transaction(() => restoreMissing(database, expected, file)).immediate();
}

/** The objects that migrations create, and the columns of their tables. */
interface Schema {
  objects: readonly SchemaObject[];
  columns: ReadonlyMap<string, readonly Column[]>;
}

/** Computed once, because running all migrations takes longer than the rest of opening a database. */
const schemas = new WeakMap<readonly Migration[], Schema>();

function schemaOf(driver: Driver, migrations: readonly Migration[]): Schema {
  const known = schemas.get(migrations);
  if (known) return known;
  const database = driver.open(':memory:', {});
  try {
    migrate(database, ':memory:', migrations, 0);
    const objects = objectsOf(database);
    const tables = objects.filter(({ type }) => type === 'table');
    const columns = new Map(tables.map(({ name }) => [name, columnsOf(database, name)]));
    schemas.set(migrations, { objects, columns });
    return { objects, columns };
  } finally {
    database.close();
  }
}

function isComplete(database: Database, expected: Schema): boolean {
  const real = new Map(objectsOf(database).map((object) => [object.name, object]));
  return expected.objects.every((object) => {
    const found = real.get(object.name);
    if (!found) return false;
    return (
      found.sql === object.sql || (object.type === 'table' && columnsMatch(database, expected, object.name))
    );
  });
}

function columnsMatch(database: Database, expected: Schema, table: string): boolean {
  const real = new Map(columnsOf(database, table).map((column) => [column.name, column]));
  return (expected.columns.get(table) ?? []).every(({ name, type }) => real.get(name)?.type === type);
}

function restoreMissing(database: Database, expected: Schema, file: string): readonly string[] {
  const wanted = expected.objects;
  const isFullText = (name: string) => wanted.some((table) => isVirtual(table) && isPartOf(name, table.name));
  const tables = wanted.filter(({ type, name }) => type === 'table' && !isFullText(name));
  const others = wanted.filter(({ type }) => type === 'index' || type === 'trigger');

  const repaired = [
    ...restoreFullText(database, wanted),
    ...tables.flatMap((table) => restoreTable(database, expected, table, file)),
    ...restoreObjects(database, others),
  ];
  const isOfIndex = (name: string) => isFullText(name) || /^search_|_(un|re)indexed$/.test(name);
  if (repaired.some(({ name }) => isOfIndex(name))) rebuildIndex(database);
  if (repaired.some(({ name }) => /^(vectors|index_outbox)|_queued_/.test(name)))
    // It is unknown which records have vectors. Their hashes show which ones are current.
    database.exec(`
      DELETE FROM index_outbox;
      INSERT INTO index_outbox (observation_id) SELECT id FROM observations
        WHERE EXISTS (SELECT 1 FROM search_state WHERE name = 'vector-target') ORDER BY id`);
  if (repaired.some(({ name }) => name === 'counters' || name.includes('_counted_')))
    rebuildCounters(database);
  return repaired.map(({ line }) => line);
}

interface Repair {
  name: string;
  line: string;
}

/** An index with a missing part is created again and filled afterwards. */
function restoreFullText(database: Database, wanted: readonly SchemaObject[]): readonly Repair[] {
  const names = namesIn(database);
  return wanted.filter(isVirtual).flatMap(({ name, sql }) => {
    const parts = wanted.filter((object) => isPartOf(object.name, name));
    if (parts.every((part) => names.has(part.name))) return [];
    database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec(sql);
    return [{ name, line: `created the full-text index ${name} again` }];
  });
}

function restoreTable(
  database: Database,
  expected: Schema,
  table: SchemaObject,
  file: string,
): readonly Repair[] {
  if (namesIn(database).has(table.name)) return addColumns(database, expected, table, file);
  if (!DERIVED_TABLES.has(table.name))
    throw mismatch(file, `the table ${table.name} is missing`, { table: table.name });
  return restoreObjects(database, [table]);
}

function restoreObjects(database: Database, wanted: readonly SchemaObject[]): readonly Repair[] {
  const names = namesIn(database);
  return wanted.flatMap(({ type, name, sql }) => {
    if (names.has(name)) return [];
    database.exec(sql);
    return [{ name, line: `created the ${type} ${name} again` }];
  });
}

function addColumns(
  database: Database,
  expected: Schema,
  table: SchemaObject,
  file: string,
): readonly Repair[] {
  const real = new Map(columnsOf(database, table.name).map((column) => [column.name, column]));
  const done: Repair[] = [];
  for (const column of expected.columns.get(table.name) ?? []) {
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
    done.push({ name: table.name, line: `added the missing column ${table.name}.${column.name}` });
  }
  return done;
}

/** Returns the definition that the migration creates, with its checks. */
function definitionOf(createSql: string, column: string): string | null {
  const body = createSql.slice(createSql.indexOf('(') + 1, createSql.lastIndexOf(')'));
  const outsideParentheses = /,(?![^()]*\))/;
  const definitions = body.split(outsideParentheses).map((text) => text.trim());
  return definitions.find((text) => text.startsWith(`${column} `)) ?? null;
}

function objectsOf(database: Database): readonly SchemaObject[] {
  return database
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`)
    .all() as SchemaObject[];
}

function columnsOf(database: Database, table: string): readonly Column[] {
  return database.pragma(`table_xinfo("${table}")`) as Column[];
}

/** Derived tables, which can be rebuilt from the other tables. */
export const DERIVED_TABLES: ReadonlySet<string> = new Set([
  'counters',
  'index_outbox',
  'observation_freshness',
  'search_documents',
  'search_pending',
  'search_postings',
  'search_removals',
  'search_state',
  'search_terms',
  'search_unfolded',
  'vectors',
]);

const namesIn = (database: Database) => new Set(objectsOf(database).map(({ name }) => name));
const isVirtual = ({ sql }: SchemaObject) => sql.startsWith('CREATE VIRTUAL TABLE');
const isPartOf = (name: string, fullTextTable: string) =>
  name === fullTextTable || name.startsWith(`${fullTextTable}_`);

function mismatch(file: string, what: string, data: Readonly<Record<string, unknown>>): StorageError {
  return new StorageError(
    'storage/schema-mismatch',
    `${file} is not as its migrations made it: ${what}; restore a backup`,
    { data: { file, ...data } },
  );
}
