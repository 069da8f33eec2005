import path from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';

export type Row = Readonly<Record<string, unknown>>;

/** A read-only connection to a database, which other processes may write to. */
export interface DatabasePeek extends Disposable {
  rows(sql: string, ...parameters: readonly unknown[]): readonly Row[];
  /** Returns the first column of the first row. */
  value(sql: string, ...parameters: readonly unknown[]): unknown;
  /** Returns the names of all tables except those of SQLite itself. */
  tables(): readonly string[];
  /** Returns 'ok', or the problems that SQLite's full check found. */
  integrity(): string;
}

/** Opens an existing database for reading, by its data folder or its path. */
export function peekDatabase(where: { dataDir: string } | { file: string }): DatabasePeek {
  const file = 'file' in where ? where.file : path.join(where.dataDir, 'claude-mem.db');
  const database = loadDriver().open(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
  // Statements are cached, because some tests repeat a query thousands of times.
  const prepare = memoize((sql) => database.prepare(sql));
  const preparePlucked = memoize((sql) => database.prepare(sql).pluck());
  const rows = (sql: string, ...parameters: readonly unknown[]) => prepare(sql).all(...parameters) as Row[];
  const value = (sql: string, ...parameters: readonly unknown[]) => preparePlucked(sql).get(...parameters);
  return {
    rows,
    value,
    tables: () =>
      rows(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      ).map(({ name }) => String(name)),
    integrity: () =>
      rows('PRAGMA integrity_check')
        .map((row) => String(Object.values(row)[0]))
        .join('\n'),
    [Symbol.dispose]: () => void database.close(),
  };
}

function memoize<Result>(make: (key: string) => Result): (key: string) => Result {
  const made = new Map<string, Result>();
  return (key) => {
    const result = made.get(key) ?? make(key);
    made.set(key, result);
    return result;
  };
}

/** Opens a database, calls `look` and closes the database. For programs that cannot use `using`. */
export function inspectDatabase<Result>(
  where: { dataDir: string } | { file: string },
  look: (peek: DatabasePeek) => Result,
): Result {
  using peek = peekDatabase(where);
  return look(peek);
}

/**
 * Returns the content of all tables except derived data, as one sorted line per row. Databases with equal content
 * have equal dumps.
 * @param leaveOut columns to ignore, such as ids and times when two runs are compared
 */
export function dumpCanonical(
  peek: DatabasePeek,
  options: { leaveOut?: readonly string[] } = {},
): readonly string[] {
  const leaveOut = new Set(options.leaveOut);
  return peek
    .tables()
    .filter((table) => !isDerived(table))
    .flatMap((table) =>
      peek.rows(`SELECT * FROM "${table}"`).map((row) => {
        const kept = Object.entries(row).filter(([column]) => !leaveOut.has(column));
        return `${table} ${JSON.stringify(Object.fromEntries(kept.map(readable)))}`;
      }),
    )
    .sort();
}

const readable = ([column, value]: [string, unknown]) => [
  column,
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
];

const isDerived = (table: string) => /_fts($|_)|^search_|^vectors$|^index_outbox$|migrations/.test(table);
