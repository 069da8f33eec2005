import { renameSync, rmSync } from 'node:fs';
import { makePrivate, syncFile } from '../database/database-file.js';
import type { Database } from '../database/driver.js';
import { unfinishedName } from './replace-database.js';

/**
 * Replaces a database whose write-ahead log was removed by a complete copy. All connections of a process to a file
 * share the state of the log, so this process could not open the original file again.
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
