import type { Logger } from '@claude-mem/core';
import { rebuildIndex } from '@claude-mem/lexical-index';
import { copyDatabase, removeDatabase, sizeOf, syncFile } from '../database/database-file.js';
import type { Database, Driver } from '../database/driver.js';
import { migrate, readMigrationState } from '../migrations/migrate.js';
import type { Migration } from '../migrations/migration.js';
import { rebuildCounters } from '../records/counters.js';
import { StorageError, isUnreadable } from '../storage-error.js';
import { addMissingParents } from './add-missing-parents.js';
import { canonicalTables, tableOf, type CanonicalTable } from './canonical-tables.js';
import { checkInBackground } from './check-file.js';
import { EVERYTHING, copyRows, type Copied } from './copy-rows.js';
import { fillFromBackup } from './fill-from-backup.js';
import { copyOrphanedRows } from './orphaned-rows.js';
import { createPace, type Pace } from './pace.js';
import { removeForgottenAgain } from './remove-forgotten-again.js';
import { unlessUnreadable } from './unless-unreadable.js';

export interface SalvageOptions {
  driver: Driver;
  /** The damaged file. It is read with its write-ahead log and not written. */
  file: string;
  backupsDir: string;
  migrations: readonly Migration[];
  now: number;
  logger: Logger;
}

/** The content of a new database that was salvaged from a damaged one. */
export interface Salvaged {
  /** Number of rows in tables that are not derived. */
  saved: number;
  /** Number of observations among them. */
  observations: number;
  /** Number of rows that only a backup contained. */
  fromBackup: number;
  /** Number of rows that neither the damaged file nor a backup contained, as far as they can be counted. */
  unreadable: number;
  /** False when rows may be missing that cannot be counted. */
  isCounted: boolean;
  /**
   * True when the file is older than its log, for example after an old copy was restored. Reading it then returns no
   * error.
   */
  isOlderThanLog?: boolean;
  /** The backup that was used. Null when none was needed or intact. */
  restoredFrom: string | null;
}

/**
 * Writes a new database with every readable row of the damaged one and, for its gaps, rows of the newest intact
 * backup. Rows keep their ids. Derived tables are empty and marked to be filled again, except vectors, which are
 * expensive. Writes only `target`.
 */
export async function salvage(options: SalvageOptions, target: string): Promise<Salvaged> {
  const { driver, file, migrations, now } = options;
  const source = openSource(driver, file, target);
  const steps = migrations.slice(
    0,
    countMigrations(source?.database ?? null, file, migrations) ?? migrations.length,
  );
  const database = openTarget(driver, target);
  const pace = createPace();
  try {
    migrate(database, target, steps, now);
    const triggers = dropTriggers(database);
    const parts = { ...options, migrations: steps, database, source: source?.database ?? null, pace };
    const tables = canonicalTables(database);
    const copied = new Map<string, Copied>();
    for (const table of tables) copied.set(table.name, await copyTable(parts, table));
    const isOlderThanLog = countLost(parts) > 0 && addTails(parts, tables, copied);
    const listed = new Map(tables.map((table) => [table.name, findListedIds(parts, table)]));
    for (const [name, { ids }] of listed) addGaps(copied, name, ids);
    await copyOrphanedRows({ ...parts, copy: `${target}-pages`, target: database, tables, copied });
    const filled = await fillFromBackup({ ...parts, tables, copied });
    if (hasTable(database, 'forgotten')) removeForgottenAgain(database);
    await copyDerived(parts);
    reserveUsedIds(parts);
    const missing = { ...countUnreadable(parts, tables, { copied, listed }), isOlderThanLog };
    const lost = countLost(parts);
    if (isOlderThanLog && lost > missing.unreadable) missing.unreadable = lost;
    if (isOlderThanLog && lost > 0) missing.isCounted = false;
    addMissingParents(database, now);
    database.exec(triggers);
    rebuildDerivedTables(database);
    const saved = tables.reduce((total, { name }) => total + countOf(database, name), 0);
    const observations = countOf(database, 'observations');
    database.close();
    await assertIntact(driver, target);
    syncFile(target);
    return { saved, observations, fromBackup: filled.added, restoredFrom: filled.backup, ...missing };
  } finally {
    if (database.open) database.close();
    source?.close();
  }
}

interface Parts extends SalvageOptions {
  database: Database;
  source: Database | null;
  pace: Pace;
}

/** Returns null when nothing in the file can be read. */
function openSource(
  driver: Driver,
  file: string,
  target: string,
): { database: Database; close(): void } | null {
  if (sizeOf(file) === 0) return null;
  const copy = `${target}-source`;
  // Only a writable connection can roll back the journal of a crash.
  const isCopied = sizeOf(`${file}-journal`) > 0;
  let database: Database | null = null;
  const close = () => {
    database?.close();
    if (isCopied) removeDatabase(copy);
  };
  try {
    if (isCopied) copyDatabase(file, copy);
    database = driver.open(isCopied ? copy : file, { readonly: !isCopied, timeout: 5_000 });
    // Without writable_schema, SQLite rejects a truncated file.
    for (const setting of ['writable_schema = ON', 'cell_size_check = ON', 'cache_size = -8000'])
      unlessUnreadable(() => database?.unsafeMode().pragma(setting));
    return { database, close };
  } catch (error) {
    close();
    if (!isUnreadable(error)) throw error;
    return null;
  }
}

function openTarget(driver: Driver, target: string): Database {
  const database = driver.open(target, {});
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = MEMORY');
  // Nobody reads the file before it is complete. It is then flushed to the disk before it gets its name.
  database.pragma('synchronous = OFF');
  database.pragma('foreign_keys = OFF');
  database.pragma('cache_size = -8000');
  return database;
}

/** Returns the number of migrations of a database; null when it cannot be read. */
function countMigrations(
  database: Database | null,
  file: string,
  migrations: readonly Migration[],
): number | null {
  try {
    return (
      unlessUnreadable(() => database && readMigrationState(database, file, migrations).appliedCount) || null
    );
  } catch (error) {
    if (StorageError.isInstance(error) && /^storage\/(schema-mismatch|corrupt)$/.test(error.code))
      return null;
    throw error;
  }
}

/**
 * Drops the triggers during the copy, because their work is done for all rows afterwards. Returns the statements that
 * create them again.
 */
function dropTriggers(database: Database): string {
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid`)
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  return triggers.map(({ sql }) => `${sql};`).join('\n');
}

const NOTHING: Copied = { gaps: EVERYTHING, incomplete: 0 };

async function copyTable({ database, source, file, pace }: Parts, table: CanonicalTable): Promise<Copied> {
  if (source === null) return NOTHING;
  // The smallest row takes about 16 bytes.
  const maxRows = BigInt(Math.ceil(sizeOf(file) / 16));
  const lastKey = lastIdOf(source, table.isUnique ? table.name : 'sdk_sessions') ?? maxRows;
  return copyRows({ source, target: database, table, lastKey, pace });
}

/** Number of records that the damaged file counts, or whose ids it used, and that the new one does not contain. */
function countLost({ database, source }: Parts): number {
  const sql = `SELECT sum(value) FROM counters WHERE name = 'observations'`;
  const counted = unlessUnreadable(() => source?.prepare(sql).pluck().get());
  const observations = typeof counted === 'number' ? counted - countOf(database, 'observations') : 0;
  // These ids are not used again, and only forgetting deletes their rows.
  const others = ['sdk_sessions', 'user_prompts', 'session_summaries'].map((table) => {
    const used = hasTable(database, table) ? lastIdOf(source, table) : null;
    return used === null ? 0 : Number(used - maxIdOf(database, table)) - countOf(database, 'forgotten');
  });
  return [observations, ...others].reduce((total, lost) => total + Math.max(0, lost), 0);
}

/** Adds the ids after the last row of each table as a gap. Returns whether any table was read to its end without an error. */
function addTails(
  { database, source }: Parts,
  tables: readonly CanonicalTable[],
  copied: Map<string, Copied>,
): boolean {
  let hasTail = false;
  for (const { name, isUnique } of tables) {
    const { gaps, incomplete } = copied.get(name) ?? NOTHING;
    const last = isUnique ? lastIdOf(source, name) : null;
    if (last === null) continue;
    const from = maxIdOf(database, name) + 1n;
    if (last < from || gaps.some(({ to }) => to >= last)) continue;
    copied.set(name, { gaps: [...gaps, { from, to: last }], incomplete });
    hasTail = true;
  }
  return hasTail;
}

const maxIdOf = (database: Database, table: string): bigint =>
  database.prepare(`SELECT coalesce(max(rowid), 0) FROM ${table}`).pluck().safeIntegers().get() as bigint;

/** Returns the largest id that was ever used. Null when it is unknown. */
function lastIdOf(database: Database | null, table: string): bigint | null {
  const ids = [
    `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`,
    `SELECT max(rowid) FROM ${table}`,
  ].map((sql) => unlessUnreadable(() => database?.prepare(sql).pluck().safeIntegers().get()));
  return largestOf(ids.filter((id) => typeof id === 'bigint').filter((id) => id > 0n && id < MAX_ID));
}

/** Larger ids are damaged. */
const MAX_ID = 2n ** 52n;

const largestOf = (ids: readonly bigint[]) =>
  ids.reduce<bigint | null>((a, b) => (a !== null && a > b ? a : b), null);

/** Vectors are checked one model at a time. Their hashes show which ones are current. */
async function copyDerived({ database, source, file, pace }: Parts): Promise<void> {
  if (source === null || !hasTable(database, 'search_state')) return;
  const lastKey = lastIdOf(source, 'vectors') ?? BigInt(Math.ceil(sizeOf(file) / 64));
  await copyRows({ source, target: database, table: tableOf(database, 'vectors'), lastKey, pace });
  database.exec('DELETE FROM vectors WHERE observation_id NOT IN (SELECT id FROM observations)');
  const set = database.prepare(
    'INSERT INTO search_state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  for (const name of ['vector-target', 'epoch', 'generation']) {
    const sql = 'SELECT value FROM search_state WHERE name = ?';
    const value = unlessUnreadable(() => source.prepare(sql).pluck().get(name));
    if (typeof value === 'string' || Number.isSafeInteger(value)) set.run(name, value);
  }
}

/** Ensures that new records never get an id that was used before, even if the old record could not be read. */
function reserveUsedIds({ database, source }: Parts): void {
  if (source === null) return;
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`)
    .pluck()
    .all() as string[];
  for (const table of tables) {
    const last = largestOf([lastIdOf(source, table), lastIdOf(database, table)].filter((id) => id !== null));
    if (last === null) continue;
    database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last);
  }
}

interface ListedIds {
  ids: readonly bigint[];
  /** False when no index could be read to its end. */
  isComplete: boolean;
}

/** Returns the ids that an index of the damaged table lists and the new table lacks. */
function findListedIds({ database, source }: Parts, table: CanonicalTable): ListedIds {
  if (source === null || !table.isUnique) return { ids: [], isComplete: false };
  const exists = database.prepare(`SELECT 1 FROM ${table.name} WHERE rowid = ?`);
  const ids = new Set<bigint>();
  let isComplete = false;
  const indexes = database.pragma(`index_list("${table.name}")`) as { name: string; partial: number }[];
  for (const { name } of indexes.filter(({ partial }) => partial === 0))
    isComplete =
      unlessUnreadable(() => {
        const rows = source
          .prepare(`SELECT rowid FROM ${table.name} INDEXED BY ${name}`)
          .pluck()
          .safeIntegers();
        for (const id of rows.iterate() as Iterable<bigint>)
          if (id > 0n && id < MAX_ID && exists.get(id) === undefined) ids.add(id);
        return true;
      }) ?? isComplete;
  return { ids: [...ids], isComplete };
}

function addGaps(copied: Map<string, Copied>, name: string, ids: readonly bigint[]): void {
  const { gaps, incomplete } = copied.get(name) ?? NOTHING;
  const inGap = (id: bigint) => gaps.some(({ from, to }) => from <= id && id <= to);
  const added = ids.filter((id) => !inGap(id)).map((id) => ({ from: id, to: id }));
  if (added.length > 0) copied.set(name, { gaps: [...gaps, ...added], incomplete });
}

function countUnreadable(
  { database }: Parts,
  tables: readonly CanonicalTable[],
  { copied, listed }: { copied: ReadonlyMap<string, Copied>; listed: ReadonlyMap<string, ListedIds> },
): Pick<Salvaged, 'unreadable' | 'isCounted'> {
  let unreadable = 0;
  let isCounted = true;
  for (const { name, isUnique } of tables) {
    const { gaps, incomplete } = copied.get(name) ?? NOTHING;
    unreadable += incomplete;
    if (gaps.length === 0) continue;
    const { ids = [], isComplete = false } = listed.get(name) ?? {};
    if (!isComplete) isCounted = false;
    if (!isUnique) continue;
    const exists = database.prepare(`SELECT 1 FROM ${name} WHERE rowid = ?`);
    unreadable += ids.filter((id) => exists.get(id) === undefined).length;
  }
  return { unreadable, isCounted };
}

function rebuildDerivedTables(database: Database): void {
  database.transaction(() => {
    if (hasTable(database, 'counters')) rebuildCounters(database);
    if (!hasTable(database, 'search_state')) return;
    rebuildIndex(database);
    database.exec(`
      INSERT INTO index_outbox (observation_id) SELECT id FROM observations
        WHERE EXISTS (SELECT 1 FROM search_state WHERE name = 'vector-target') ORDER BY id`);
  })();
}

async function assertIntact(driver: Driver, file: string): Promise<void> {
  const { file: damage, index } = await checkInBackground(driver, file, { isThorough: true });
  const problems = [...damage, ...index];
  if (problems.length === 0) return;
  throw new StorageError('storage/write-failed', `the new database is damaged: ${problems.join('; ')}`, {
    data: { file },
  });
}

const hasTable = (database: Database, name: string) =>
  database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;

const countOf = (database: Database, table: string): number =>
  hasTable(database, table) ? (database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number) : 0;
