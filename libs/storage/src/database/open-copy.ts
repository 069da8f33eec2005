import { chmodSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@claude-mem/core';
import { StorageError } from '../storage-error.js';
import { sizeOf } from './database-file.js';
import type { Database, Driver } from './driver.js';
import { openReadable } from './open-connection.js';

/** How often a file that changes meanwhile is copied. */
const ATTEMPTS = 3;

export interface OpenForReading {
  database: Database;
  /** True once the original says something else. */
  isOutdated(): boolean;
  close(): void;
}

/**
 * Opens a copy of the database, which goes with the connection. For a folder in which nothing can be written: SQLite needs
 * files beside a database with a write-ahead log even to read it.
 * @throws StorageError `storage/unreadable` where there is no room for a copy either
 */
export function openCopy(driver: Driver, file: string, temporaryFolder: string): OpenForReading {
  const version = versionOf(file);
  let folder: string | null = null;
  const remove = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    folder = mkdtempSync(path.join(temporaryFolder, 'claude-mem-copy-'));
    const copy = path.join(folder, 'claude-mem.db');
    copyWhole(file, copy);
    const writable = driver.open(copy, {});
    try {
      // takes in what waits in the log
      writable.pragma('journal_mode = DELETE');
    } finally {
      writable.close();
    }
    const database = openReadable(driver, copy);
    // what is open stays readable without a name; on Windows it has to keep it
    if (process.platform !== 'win32') remove();
    const close = () => {
      database.close();
      remove();
    };
    return { database, isOutdated: () => versionOf(file) !== version, close };
  } catch (error) {
    remove();
    throw new StorageError(
      'storage/unreadable',
      `nothing can be written beside ${file}, so it has to be read from a copy, which failed: ${messageOf(error)}. ` +
        `Give claude-mem write access to the folder, or set TMPDIR to a folder with ${Math.ceil(sizeOf(file) / 2 ** 20)} MiB of room`,
      { cause: error, data: { file } },
    );
  }
}

/** What changes whenever something is written to the database. */
function versionOf(file: string): string {
  return [file, `${file}-wal`]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.mtimeNs}:${stat.size}` : ''))
    .join(' ');
}

function copyWhole(file: string, copy: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const version = versionOf(file);
    for (const side of ['', '-wal', '-journal']) {
      rmSync(copy + side, { force: true });
      if (side !== '' && sizeOf(file + side) === 0) continue;
      copyFileSync(file + side, copy + side, constants.COPYFILE_FICLONE);
      chmodSync(copy + side, 0o600);
    }
    if (versionOf(file) === version) return;
    if (attempt === ATTEMPTS) throw new Error('it is being written');
  }
}
