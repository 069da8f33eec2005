import { closeSync, openSync, readSync } from 'node:fs';
import { OTHER_CLAUDE_MEM } from '@claude-mem/core';
import type { Database } from './driver.js';

/** Number of bytes to read. The first bytes of a database contain the definitions of its tables. */
const READ_BYTES = 1024 * 1024;

/**
 * Describes the program that owns a foreign file, and what to do.
 * @param database an open connection. Without one, only bytes are read, because SQLite would take locks and leave
 * files beside the database. With one, the file is not opened again, because closing it drops the locks of the
 * connection.
 */
export function describeForeignFile(file: string, database?: Database): string {
  const tables = database ? tableNamesIn(database) : beginningOf(file) + beginningOf(`${file}-wal`);
  const owner = isOtherClaudeMem(tables) ? OTHER_CLAUDE_MEM : 'another program';
  return (
    `${file} is not a claude-mem database, but a database of ${owner}. Nothing was changed. ` +
    'End that program, then move the file together with its -wal and -shm files to another folder, ' +
    'or set CLAUDE_MEM_DATA_DIR to a folder of your choice'
  );
}

/** The program is identified by its table of versions. */
const isOtherClaudeMem = (text: string) =>
  text.includes('schema_versions') && (text.includes('sdk_sessions') || text.includes('memories'));

const tableNamesIn = (database: Database) =>
  database.prepare("SELECT coalesce(group_concat(name, ' '), '') FROM sqlite_schema").pluck().get() as string;

function beginningOf(file: string): string {
  try {
    const bytes = Buffer.alloc(READ_BYTES);
    const descriptor = openSync(file, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, READ_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
