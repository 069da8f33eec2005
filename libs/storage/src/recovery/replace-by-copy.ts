import { renameSync, rmSync } from 'node:fs';
import { makePrivate, syncFile } from '../database/database-file.js';
import type { Database } from '../database/driver.js';
import { unfinishedName } from './replace-database.js';

/**
 * Replaces a database whose write-ahead log was removed by a complete copy, because SQLite shares the state of the
 * log among all connections of a process to a file, so the file could not be opened again in this process.
 */
export async function replaceByCopy(database: Database, file: string): Promise<void> {
  const copy = unfinishedName(file);
  rmSync(copy, { force: true });
  await database.backup(copy);
  makePrivate(copy);
  syncFile(copy);
  renameSync(copy, file);
  syncFile(file);
}
