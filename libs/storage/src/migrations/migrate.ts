import { APPLICATION_ID } from '../database/database-file.js';
import type { Database } from '../database/driver.js';
import { StorageError } from '../storage-error.js';
import type { Migration } from './migration.js';

/** The applied migrations of a database. */
export interface MigrationState {
  /** Pending migrations in order. */
  pending: readonly Migration[];
  appliedCount: number;
}

/**
 * Compares the applied migrations of a database with the known ones. Reads only.
 * @throws StorageError `storage/newer-schema` for unknown migrations, `storage/schema-mismatch` when they are not the
 * first known ones, `storage/corrupt` when their list is damaged
 */
export function readMigrationState(
  database: Database,
  file: string,
  migrations: readonly Migration[],
): MigrationState {
  // Before the names, because another process may apply a migration between the two reads.
  const version = database.pragma('user_version', { simple: true }) as number;
  const applied = appliedNames(database);
  const ours = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !ours.has(name));
  const damaged = (): StorageError =>
    new StorageError('storage/corrupt', `the list of migrations in ${file} is damaged`, {
      data: { file, version, applied: applied.length },
    });
  if (version <= migrations.length && applied.some((name) => !MIGRATION_NAME.test(name))) throw damaged();
  if (unknown.length > 0 || version > migrations.length)
    throw new StorageError(
      'storage/newer-schema',
      `${file} was written by a newer claude-mem (schema ${Math.max(version, applied.length)}, this one knows ${migrations.length}); update claude-mem. Nothing was changed`,
      { data: { file, version, unknown } },
    );
  const gap = applied.findIndex((name, index) => migrations[index]?.name !== name);
  if (gap !== -1)
    throw new StorageError(
      'storage/schema-mismatch',
      `${file} lacks the migration ${migrations[gap]?.name} but has later ones; restore a backup`,
      { data: { file, migration: migrations[gap]?.name } },
    );
  if (applied.length < version) throw damaged();
  return { pending: migrations.slice(applied.length), appliedCount: applied.length };
}

const MIGRATION_NAME = /^\d{4}-[a-z0-9-]+$/;

/** Runs the pending migrations, each in its own transaction. Several processes may do this at the same time. */
export function migrate(
  database: Database,
  file: string,
  migrations: readonly Migration[],
  now: number,
): void {
  const begin = database.transaction(() => {
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.exec(
      `CREATE TABLE IF NOT EXISTS migrations (
        name TEXT NOT NULL PRIMARY KEY,
        applied_at_epoch INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    );
  });
  const step = database.transaction(() => {
    const { pending, appliedCount } = readMigrationState(database, file, migrations);
    const [next] = pending;
    if (!next) return false;
    next.up(database);
    database.prepare('INSERT INTO migrations VALUES (?, ?)').run(next.name, now);
    database.pragma(`user_version = ${appliedCount + 1}`);
    return true;
  });
  if (readMigrationState(database, file, migrations).pending.length === 0) return;
  begin.immediate();
  while (step.immediate());
}

function appliedNames(database: Database): readonly string[] {
  const hasLedger = database
    .prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`)
    .get();
  if (!hasLedger) return [];
  return database.prepare('SELECT name FROM migrations ORDER BY name').pluck().all() as string[];
}
