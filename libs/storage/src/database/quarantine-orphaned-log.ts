import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { sizeOf } from './database-file.js';

const MARK = '-wal.orphaned-';

/**
 * Renames a write-ahead log whose database is gone, with its index: SQLite deletes such a log when it creates the database.
 * The log may hold the only copy of records. Returns its new name; null when there is none. To be called by the one process
 * that may create the database.
 */
export function quarantineOrphanedLog(file: string, now: number): string | null {
  // in this order: a process that creates the database writes the database first and its log afterwards
  if (sizeOf(`${file}-wal`) === 0 || sizeOf(file) > 0) return null;
  const target = `${file}${MARK}${now}`;
  try {
    renameSync(`${file}-wal`, target);
    renameSync(`${file}-shm`, `${target}-shm`);
  } catch (error) {
    // the index may be missing, or another process was first
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return target;
}

/** The logs that were renamed and that nobody has removed since. */
export function listOrphanedLogs(file: string): readonly string[] {
  const prefix = `${path.basename(file)}${MARK}`;
  return readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(prefix) && !name.endsWith('-shm'))
    .sort()
    .map((name) => path.join(path.dirname(file), name));
}
