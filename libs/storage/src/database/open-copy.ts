import { chmodSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@claude-mem/core';
import { StorageError } from '../storage-error.js';
import { sizeOf } from './database-file.js';
import type { Database, Driver } from './driver.js';
import { openReadable } from './open-connection.js';

/** Maximum number of attempts to copy a file that changes meanwhile. */
const ATTEMPTS = 3;

export interface OpenForReading {
  database: Database;
  /** True when the original has changed. */
  isOutdated(): boolean;
  close(): void;
}

/**
 * Opens a copy of the database, which is deleted with the connection. For read-only folders: SQLite needs side files
 * to read a database with a write-ahead log.
 * @throws StorageError `storage/unreadable` when there is no space for a copy either
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
    copyFile(file, copy);
    const writable = driver.open(copy, {});
    try {
      // Applies the write-ahead log.
      writable.pragma('journal_mode = DELETE');
    } finally {
      writable.close();
    }
    const database = openReadable(driver, copy);
    // An open file remains readable without a name, except on Windows.
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

/** Values that change whenever the database is written. */
function versionOf(file: string): string {
  return [file, `${file}-wal`]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.mtimeNs}:${stat.size}` : ''))
    .join(' ');
}

function copyFile(file: string, copy: string): void {
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
