import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { copyDatabase, removeDatabase, removeSideFiles, sizeOf } from '../database/database-file.js';
import type { Database, Driver } from '../database/driver.js';
import { migrate } from '../migrations/migrate.js';
import type { Migration } from '../migrations/migration.js';
import { isUnreadable } from '../storage-error.js';
import type { CanonicalTable } from './canonical-tables.js';
import { columnsOf, commonColumns, type Column } from './columns-of.js';
import { createRowWriter, type Copied, type Row } from './copy-rows.js';
import { pause, type Pace } from './pace.js';
import { unlessUnreadable } from './unless-unreadable.js';

const DEFAULT_PAGE_BYTES = 4_096;
/** SQLite never uses the page that contains this byte. */
const LOCK_BYTE = 0x40000000;
const SCHEMA_ROOT = 1;
/** Position of the number of pages in the header of a database. */
const PAGE_COUNT_OFFSET = 28;
/** Kinds of entries in the pointer map. */
const ROOT_PAGE = 1;
const TREE_PAGE = 5;
/** First bytes of pages: of a table with rowids, and of a table without, whose inner pages contain rows as well. */
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_INNER = 0x02;
/** Deeper trees exist only in a damaged pointer map. */
const MAX_DEPTH = 32;

/**
 * Copies the rows on intact pages that are no longer reachable because a page above them is damaged. The pointer map
 * (https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages) contains the table of each page. SQLite reads each
 * page as the root of a table, in a copy of the file whose first page is replaced. Only rows in the gaps are copied.
 */
export async function copyOrphanedRows(options: {
  driver: Driver;
  file: string;
  /** Path of the copy, which is deleted at the end. */
  copy: string;
  target: Database;
  /** The migrations that the damaged file has. */
  migrations: readonly Migration[];
  tables: readonly CanonicalTable[];
  copied: ReadonlyMap<string, Copied>;
  pace: Pace;
}): Promise<void> {
  const { driver, file, copy, target, copied, pace } = options;
  const gapsOf = ({ name }: CanonicalTable) => copied.get(name)?.gaps ?? [];
  const damaged = options.tables.filter((table) => gapsOf(table).length > 0);
  if (damaged.length === 0 || sizeOf(file) === 0) return;
  try {
    copyDatabase(file, copy);
    mergeLog(driver, copy);
    const source: Source = { driver, copy, ...readPointerMap(copy) };
    const schema = readSchema(source, options.migrations);
    for (const table of damaged) {
      const { sql, rootpage } = schema.get(table.name) ?? {};
      const definition = sql === undefined ? null : defineWithoutConstraints(driver, sql, table);
      if (definition === null) continue;
      const columns = commonColumns(columnsOf(target, table.name), definition.columns);
      const write = createRowWriter(target, table, columns);
      const isInGap = (key: bigint) => gapsOf(table).some(({ from, to }) => from <= key && key <= to);
      write.begin();
      for (const row of rowsOf(source, definition, columns, Number(rootpage))) {
        if (!table.isUnique || isInGap(row['*'] as bigint)) write.row(row);
        await pause(pace);
      }
      write.end();
    }
  } finally {
    removeDatabase(copy);
  }
}

interface Source extends PointerMap {
  driver: Driver;
  copy: string;
}

/** Writes the content of the log into the copy, if the copy can be opened. */
function mergeLog(driver: Driver, copy: string): void {
  unlessUnreadable(() => {
    const database = driver.open(copy, {});
    try {
      database.pragma('journal_mode = DELETE');
    } finally {
      database.close();
    }
  });
  removeSideFiles(copy);
}

interface PointerMap {
  pageBytes: number;
  pageCount: number;
  /** Pages of each table and index, by its root page. */
  pages: ReadonlyMap<number, readonly number[]>;
}

function readPointerMap(file: string): PointerMap {
  const descriptor = openSync(file, 'r');
  try {
    const read = (length: number, position: number) => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, position);
      return bytes;
    };
    const header = read(100, 0);
    const stated = header.toString('latin1', 0, 15) === 'SQLite format 3' ? header.readUInt16BE(16) : 0;
    const pageBytes = stated === 1 ? 65_536 : stated >= 512 ? stated : DEFAULT_PAGE_BYTES;
    const pageCount = Math.floor(fstatSync(descriptor).size / pageBytes);
    const entries = Math.floor(pageBytes / 5);
    const lockPage = LOCK_BYTE / pageBytes + 1;
    const parents = new Map([[SCHEMA_ROOT, SCHEMA_ROOT]]);
    for (let start = 2; start <= pageCount; start += entries + 1) {
      const mapPage = start === lockPage ? start + 1 : start;
      const map = read(pageBytes, (mapPage - 1) * pageBytes);
      for (let index = 0; index < entries; index += 1) {
        const page = mapPage + 1 + index;
        const kind = map[5 * index];
        if (kind === ROOT_PAGE) parents.set(page, page);
        else if (kind === TREE_PAGE) parents.set(page, map.readUInt32BE(5 * index + 1));
      }
    }
    return { pageBytes, pageCount, pages: groupByRoot(parents, pageCount) };
  } finally {
    closeSync(descriptor);
  }
}

function groupByRoot(parents: ReadonlyMap<number, number>, pageCount: number): PointerMap['pages'] {
  const pages = new Map<number, number[]>();
  for (const page of parents.keys()) {
    let root = page;
    for (let depth = 0; depth < MAX_DEPTH && parents.get(root) !== root; depth += 1)
      root = parents.get(root) ?? root;
    if (!pages.has(root)) pages.set(root, []);
    // SQLite reads the first page as the schema, and the copy has another one
    if (page !== SCHEMA_ROOT && page <= pageCount) pages.get(root)?.push(page);
  }
  return pages;
}

interface TableEntry {
  name: string;
  sql: string;
  rootpage: bigint;
}

/** Reads the tables of the schema. If a page of the schema is damaged, the rest comes from a new database with the same layout. */
function readSchema(source: Source, migrations: readonly Migration[]): ReadonlyMap<string, TableEntry> {
  const toMap = (tables: readonly TableEntry[]) => new Map(tables.map((table) => [table.name, table]));
  const rows = [
    ...rowsOf(source, SCHEMA_TABLE, ['type', 'name', 'rootpage', 'sql'], SCHEMA_ROOT),
  ] as unknown as (TableEntry & { type: string })[];
  const found = toMap(rows.filter(({ type, rootpage }) => type === 'table' && rootpage > 0n));
  const template = source.driver.open(':memory:', {});
  try {
    template.pragma('auto_vacuum = INCREMENTAL');
    migrate(template, ':memory:', migrations, 0);
    // erasing deleted records rewrites the file, which moves the tables
    for (const change of ['', 'VACUUM']) {
      template.exec(change);
      const tables = template.prepare(`SELECT * FROM sqlite_schema WHERE type = 'table'`).safeIntegers();
      const expected = toMap(tables.all() as TableEntry[]);
      const isSame = [...found].every(([name, { rootpage }]) => {
        const { rootpage: other } = expected.get(name) ?? {};
        return other === undefined || other === rootpage;
      });
      if (found.size > 0 && isSame) return new Map([...expected, ...found]);
    }
    return found;
  } finally {
    template.close();
  }
}

/** A table without indexes and checks, whose root page can be any page of the original table. */
interface Definition {
  sql: string;
  /** Column of the key, or `NULL`. */
  key: string;
}

const SCHEMA_TABLE: Definition = {
  sql: 'CREATE TABLE pages (type TEXT, name TEXT, tbl_name TEXT, rootpage INTEGER, sql TEXT)',
  key: 'rowid',
};

/** Returns null when the statement is damaged. */
function defineWithoutConstraints(
  driver: Driver,
  sql: string,
  table: CanonicalTable,
): (Definition & { columns: readonly Column[] }) | null {
  const database = driver.open(':memory:', {});
  try {
    database.exec(sql);
    const columns = columnsOf(database, table.name);
    const primaryKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    // a primary key of a table with rowids that is not the rowid has an index
    const hasKey = !table.isUnique || (primaryKey.length === 1 && primaryKey[0]?.type === 'INTEGER');
    const parts = columns.map(({ name, type, dflt_value: value }) =>
      value === null ? `${name} ${type}` : `${name} ${type} DEFAULT (${value})`,
    );
    if (hasKey) parts.push(`PRIMARY KEY (${primaryKey.map(({ name }) => name).join(', ')})`);
    return {
      sql: `CREATE TABLE pages (${parts.join(', ')})${table.isUnique ? '' : ' WITHOUT ROWID'}`,
      columns,
      key: table.key ?? 'NULL',
    };
  } catch {
    return null;
  } finally {
    database.close();
  }
}

function* rowsOf(
  source: Source,
  { sql, key }: Definition,
  columns: readonly string[],
  root: number,
): Generator<Row> {
  const pages = findLeaves(source, root);
  writeFirstPage(source, sql);
  const database = source.driver.open(source.copy, {});
  try {
    database.unsafeMode();
    for (const setting of ['writable_schema = ON', 'journal_mode = MEMORY', 'synchronous = OFF'])
      database.pragma(setting);
    database.pragma('cell_size_check = ON');
    const setRoot = database.prepare('UPDATE sqlite_schema SET rootpage = ?');
    const rows = database.prepare(`SELECT ${key} AS "*", ${columns.join(', ')} FROM pages`).safeIntegers();
    for (const page of pages)
      try {
        setRoot.run(page);
        // any other version: SQLite reads the schema again
        database.pragma(`schema_version = ${page}`);
        yield* rows.iterate() as Iterable<Row>;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
  } finally {
    database.close();
  }
}

/** Returns the pages with rows. Changes inner pages with rows into leaf pages, so that SQLite reads them without the pages below. */
function findLeaves({ copy, pageBytes, pages }: Source, root: number): readonly number[] {
  const descriptor = openSync(copy, 'r+');
  try {
    return (pages.get(root) ?? []).filter((page) => {
      const bytes = Buffer.alloc(pageBytes);
      readSync(descriptor, bytes, 0, pageBytes, (page - 1) * pageBytes);
      const cells = bytes.readUInt16BE(3);
      if (bytes[0] !== INDEX_INNER || 12 + 2 * cells > pageBytes)
        return bytes[0] === TABLE_LEAF || bytes[0] === INDEX_LEAF;
      // the header of a leaf page is four bytes shorter, and its cells do not begin with the number of another page
      bytes[0] = INDEX_LEAF;
      for (let at = 8; at < 8 + 2 * cells; at += 2)
        bytes.writeUInt16BE((bytes.readUInt16BE(at + 4) + 4) & 0xffff, at);
      writeSync(descriptor, bytes, 0, pageBytes, (page - 1) * pageBytes);
      return true;
    });
  } finally {
    closeSync(descriptor);
  }
}

function writeFirstPage({ driver, copy, pageBytes, pageCount }: Source, sql: string): void {
  const database = driver.open(':memory:', {});
  try {
    database.pragma(`page_size = ${pageBytes}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    database.exec(sql);
    const page = database.serialize().subarray(0, pageBytes);
    page.writeUInt32BE(pageCount, PAGE_COUNT_OFFSET);
    const descriptor = openSync(copy, 'r+');
    try {
      writeSync(descriptor, page, 0, pageBytes, 0);
    } finally {
      closeSync(descriptor);
    }
  } finally {
    database.close();
  }
}
