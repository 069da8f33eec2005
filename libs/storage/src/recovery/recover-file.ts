import { closeSync, copyFileSync, existsSync, openSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { messageOf, type Logger } from '@claude-mem/core';
import { APPLICATION_ID, makePrivate, moveAside, readHeader, syncFile } from '../database/database-file.js';
import type { Driver } from '../database/driver.js';
import { openReadable } from '../database/open-connection.js';
import { readMigrationState } from '../migrations/migrate.js';
import type { Migration } from '../migrations/migration.js';
import { listBackups } from './backups.js';
import { checkNow } from './check-file.js';

/** What was done about a damaged database. */
export interface Recovery {
  atEpoch: number;
  reason: string;
  /** Where the damaged file lies now, unchanged. */
  keptAside: string;
  /** The backup that took its place; null when there was no good one and the memory starts empty. */
  restoredFrom: string | null;
}

export interface RecoverOptions {
  driver: Driver;
  file: string;
  backupsDir: string;
  migrations: readonly Migration[];
  now: number;
  reason: string;
  logger: Logger;
  /** Closes what still has the damaged file open. Called after the move: a moved file is not written by closing it. */
  close: () => void;
}

/** Keeps a damaged database aside and puts the newest good backup in its place. */
export function recoverFile(options: RecoverOptions): Recovery {
  const { file, now, reason, logger } = options;
  const keptAside = freeName(`${file}.corrupt-${now}`);
  moveAside(file, keptAside);
  options.close();
  const restoredFrom = restoreNewest(options);
  logger.error(
    { file, keptAside, restoredFrom, reason },
    restoredFrom
      ? 'the database was damaged; it is kept aside and the newest good backup took its place'
      : 'the database was damaged and there is no good backup; it is kept aside and the memory starts empty',
  );
  return { atEpoch: now, reason, keptAside, restoredFrom };
}

/** Damaged databases that were kept, until someone removes them. */
export function listKeptAside(file: string): readonly string[] {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.corrupt-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm|journal)$/.test(name))
    .map((name) => path.join(folder, name));
}

function restoreNewest({ driver, file, backupsDir, migrations, logger }: RecoverOptions): string | null {
  for (const backup of listBackups(backupsDir)) {
    const problem = problemOf(driver, backup.file, migrations);
    if (problem !== null) {
      logger.warn({ backup: backup.file, problem }, 'a backup cannot be used');
      continue;
    }
    const temporary = `${file}.restoring`;
    closeSync(openSync(temporary, 'w', 0o600));
    makePrivate(temporary);
    copyFileSync(backup.file, temporary);
    makePrivate(temporary);
    syncFile(temporary);
    renameSync(temporary, file);
    return backup.file;
  }
  return null;
}

function problemOf(driver: Driver, file: string, migrations: readonly Migration[]): string | null {
  try {
    const header = readHeader(file);
    if (header === null || header === 'not-sqlite') return 'not a database';
    if (header.applicationId !== APPLICATION_ID) return 'not one of ours';
    const damage = checkNow(driver, file);
    if (damage.file.length > 0) return damage.file.join('; ');
    const database = openReadable(driver, file);
    try {
      readMigrationState(database, file, migrations);
    } finally {
      database.close();
    }
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function freeName(name: string): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
