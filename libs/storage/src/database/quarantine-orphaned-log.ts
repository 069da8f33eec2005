import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { sizeOf } from './database-file.js';

const MARK = '-wal.orphaned-';

/**
 * Renames a write-ahead log whose database is missing, and its index, because SQLite deletes such a log when it
 * creates the database. The log may contain the only copy of records. Returns the new name, or null when there is no
 * such log. Must be called by the only process that may create the database.
 */
export function quarantineOrphanedLog(file: string, now: number): string | null {
  // In this order: a process that creates the database writes the database before its log.
  if (sizeOf(`${file}-wal`) === 0 || sizeOf(file) > 0) return null;
  const target = `${file}${MARK}${now}`;
  // Another process may have renamed the log, and the index may be missing.
  if (!renameIfExists(`${file}-wal`, target)) return null;
  renameIfExists(`${file}-shm`, `${target}-shm`);
  return target;
}

function renameIfExists(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Lists the renamed logs that the user has not removed. */
export function listOrphanedLogs(file: string): readonly string[] {
  const prefix = `${path.basename(file)}${MARK}`;
  return readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(prefix) && !name.endsWith('-shm'))
    .sort()
    .map((name) => path.join(path.dirname(file), name));
}
