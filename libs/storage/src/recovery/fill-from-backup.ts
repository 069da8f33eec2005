import { copyFileSync } from 'node:fs';
import { messageOf, type Logger } from '@claude-mem/core';
import { APPLICATION_ID, makePrivate, readHeader, removeDatabase } from '../database/database-file.js';
import type { Database, Driver } from '../database/driver.js';
import { openReadable } from '../database/open-connection.js';
import { migrate, readMigrationState } from '../migrations/migrate.js';
import type { Migration } from '../migrations/migration.js';
import { listBackups } from './backups.js';
import type { CanonicalTable } from './canonical-tables.js';
import { checkInBackground } from './check-file.js';
import { columnsOf, commonColumns } from './columns-of.js';
import type { Copied } from './copy-rows.js';
import { pause, type Pace } from './pace.js';

interface Gaps {
  driver: Driver;
  /** The new database with all readable rows. */
  database: Database;
  backupsDir: string;
  migrations: readonly Migration[];
  now: number;
  logger: Logger;
  pace: Pace;
  tables: readonly CanonicalTable[];
  copied: ReadonlyMap<string, Copied>;
}

interface Filled {
  backup: string | null;
  added: number;
}

/**
 * Fills the gaps with rows of the newest intact backup of this memory. Also restores the text of rows that were read
 * from damaged pages.
 */
export async function fillFromBackup(parts: Gaps): Promise<Filled> {
  const { database, tables, copied, pace } = parts;
  const withGaps = tables.filter(({ name }) => isDamaged(copied.get(name)));
  const base = withGaps.length === 0 ? null : await attachBackup(parts);
  if (base === null) return { backup: null, added: 0 };
  try {
    let added = 0;
    for (const table of withGaps) {
      const columns = commonColumns(
        columnsOf(database, table.name),
        columnsOf(database, table.name, 'backup'),
      );
      if (columns.length === 0) continue;
      const list = columns.join(', ');
      const range = table.key === null ? '? IS NOT ?' : `${table.key} BETWEEN ? AND ?`;
      const add = database.prepare(
        `INSERT OR IGNORE INTO main.${table.name} (${list}) SELECT ${list} FROM backup.${table.name} WHERE ${range}`,
      );
      for (const { from, to } of copied.get(table.name)?.gaps ?? []) {
        added += add.run(from, to).changes;
        await pause(pace);
      }
    }
    // A row from a damaged page may contain random data.
    for (const { name } of withGaps) {
      const content = CONTENT[name];
      if (content === undefined) continue;
      database.exec(`
        UPDATE main.${name} SET (${content}) = (SELECT ${content} FROM backup.${name} b WHERE b.id = main.${name}.id)
        WHERE EXISTS (SELECT 1 FROM backup.${name} b WHERE b.id = main.${name}.id AND b.uid = main.${name}.uid
          ${name === 'observations' ? `AND b.updated_at_epoch = main.${name}.updated_at_epoch` : ''}
          AND (${content
            .split(', ')
            .map((column) => `b.${column} IS NOT main.${name}.${column}`)
            .join(' OR ')}))`);
      await pause(pace);
    }
    database.exec(`
      UPDATE main.sqlite_sequence SET seq = max(seq, coalesce(
        (SELECT b.seq FROM backup.sqlite_sequence b WHERE b.name = sqlite_sequence.name), 0))`);
    return { backup: base.name, added };
  } finally {
    database.exec('DETACH backup');
    base.remove();
  }
}

const isDamaged = (copied?: Copied) =>
  copied !== undefined && (copied.gaps.length > 0 || copied.incomplete > 0);

/** Columns of a record that change only together with `updated_at_epoch`, if the table has that column. */
const CONTENT: Readonly<Record<string, string>> = {
  observations:
    'type, title, subtitle, narrative, facts, fact_origins, concepts, files_read, files_modified, file_states, content_hash, created_at_epoch',
  session_summaries:
    'request, investigated, learned, completed, next_steps, notes, files_read, files_edited, created_at_epoch',
  user_prompts: 'prompt_text, branch, head_commit, created_at_epoch',
};

/** Attaches the newest intact backup of this memory as the schema `backup`, with all migrations applied. */
async function attachBackup(parts: Gaps): Promise<{ name: string; remove(): void } | null> {
  const { driver, database, backupsDir, migrations, now, logger } = parts;
  const migrated = `${database.name}-base`;
  const remove = () => removeDatabase(migrated);
  for (const { file } of listBackups(backupsDir)) {
    try {
      const header = readHeader(file);
      if (header === null || header === 'not-sqlite') throw new Error('not a database');
      if (header.applicationId !== APPLICATION_ID) throw new Error('not a claude-mem database');
      const damage = await checkInBackground(driver, file);
      if (damage.file.length > 0) throw new Error(damage.file.join('; '));
      const backup = openReadable(driver, file);
      let isBehind: boolean;
      try {
        isBehind = readMigrationState(backup, file, migrations).pending.length > 0;
      } finally {
        backup.close();
      }
      remove();
      if (isBehind) {
        copyFileSync(file, migrated);
        makePrivate(migrated);
        const copy = driver.open(migrated, {});
        try {
          migrate(copy, migrated, migrations, now);
        } finally {
          copy.close();
        }
      }
      database.prepare('ATTACH ? AS backup').run(isBehind ? migrated : file);
      if (isSameMemory(database)) return { name: file, remove };
      database.exec('DETACH backup');
      throw new Error('the backup belongs to another memory');
    } catch (error) {
      remove();
      logger.warn({ backup: file, problem: messageOf(error) }, 'a backup cannot be used');
    }
  }
  return null;
}

/** Compares the rows with equal ids, because another memory uses the same ids for other records. */
function isSameMemory(database: Database): boolean {
  const compare = (table: string, column: string) =>
    database
      .prepare(
        `SELECT coalesce(sum(a.${column} = b.${column}), 0) AS same, count(*) AS both
         FROM main.${table} a JOIN backup.${table} b USING (id)`,
      )
      .get() as { same: number; both: number };
  const found = [compare('projects', 'key'), compare('sdk_sessions', 'uid'), compare('observations', 'uid')];
  const same = found.reduce((total, one) => total + one.same, 0);
  const both = found.reduce((total, one) => total + one.both, 0);
  return both === 0 || same * 2 > both;
}
