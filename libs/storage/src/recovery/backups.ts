import { closeSync, openSync, readdirSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { removeDatabase, syncFile } from '../database/database-file.js';
import type { Database, Driver } from '../database/driver.js';
import { checkInBackground } from './check-file.js';

const NAME = /^claude-mem-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.db$/;

export interface Backup {
  file: string;
  epoch: number;
}

/** Returns the backups in a folder, newest first. */
export function listBackups(folder: string): readonly Backup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, date, ...time] = NAME.exec(name) ?? [];
      if (!date) return [];
      const [hours, minutes, seconds, milliseconds] = time;
      const epoch = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
      return [{ file: path.join(folder, name), epoch }];
    })
    .sort((a, b) => b.epoch - a.epoch);
}

/**
 * Copies the database while it is in use. The copy gets its name only when it is complete and undamaged. Returns its
 * path, or null when the database and therefore the copy are damaged.
 */
export async function writeBackup(options: {
  driver: Driver;
  database: Database;
  folder: string;
  now: number;
}): Promise<string | null> {
  const { driver, database, folder, now } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `claude-mem-${new Date(now).toISOString().replace(/[:.]/g, '-')}.db`;
  const target = path.join(folder, name);
  const temporary = path.join(folder, `.${name}.${process.pid}.tmp`);
  rmSync(temporary, { force: true });
  closeSync(openSync(temporary, 'wx', 0o600));
  try {
    await database.backup(temporary);
    makeSelfContained(driver, temporary);
    if ((await checkInBackground(driver, temporary)).file.length > 0) return null;
    syncFile(temporary);
    renameSync(temporary, target);
    return target;
  } finally {
    removeDatabase(temporary);
  }
}

/** Removes the write-ahead log, so that reading a backup creates no other files next to it. */
function makeSelfContained(driver: Driver, file: string): void {
  const copy = driver.open(file, {});
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

/** Deletes all but the newest `keep` backups. At least one stays. */
export function pruneBackups(folder: string, keep: number): void {
  for (const { file } of listBackups(folder).slice(Math.max(1, keep))) rmSync(file, { force: true });
}

/** Deletes unfinished backups of killed processes. */
export function removeUnfinishedBackups(folder: string): void {
  for (const name of namesIn(folder)) {
    const processId = /^\.claude-mem-.*\.(\d+)\.tmp/.exec(name)?.[1];
    if (processId !== undefined && !isProcessAlive(Number(processId)))
      rmSync(path.join(folder, name), { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
