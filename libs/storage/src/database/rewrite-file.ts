import { statfsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { StorageError } from '../storage-error.js';
import { AUTOCHECKPOINT_PAGES, BUSY_TIMEOUT_MS } from './open-connection.js';
import type { Database, Driver } from './driver.js';
import type { JournalMode } from './journal-mode.js';

/**
 * Rewrites the file so that its free space contains no data, and empties its log. With a write-ahead log, a thread
 * does this: `database` remains readable meanwhile, and a write fails at once as busy. Returns false when a reader
 * prevented the log from being emptied.
 * @throws StorageError `storage/write-failed` when the disk space is not sufficient
 */
export async function rewriteFile(
  { driver, database, journalMode }: { driver: Driver; database: Database; journalMode: JournalMode },
  { signal, freeBytes = freeBytesAt }: { signal: AbortSignal; freeBytes?: (folder: string) => number },
): Promise<boolean> {
  requireRoom(database, freeBytes);
  if (journalMode !== 'wal') {
    database.exec('VACUUM');
    return true;
  }
  database.pragma('busy_timeout = 0');
  // The log is then as large as the file, and the next commit would copy all of it.
  database.pragma('wal_autocheckpoint = 0');
  try {
    await inThread(driver, database.name, signal);
    const [log] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return log?.busy === 0;
  } finally {
    if (database.open) {
      database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
    }
  }
}

/** The data is written to a temporary file and then to the log, or the old data to the journal. */
function requireRoom(database: Database, freeBytes: (folder: string) => number): void {
  const numberOf = (name: string) => database.pragma(name, { simple: true }) as number;
  const pages = numberOf('page_count') - numberOf('freelist_count');
  const needed = 2 * pages * numberOf('page_size');
  const free = freeBytes(path.dirname(database.name));
  if (free >= needed) return;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  throw new StorageError(
    'storage/write-failed',
    `writing ${database.name} anew needs ${inMegabytes(needed)} of free space, and there are ${inMegabytes(free)}`,
    { data: { file: database.name } },
  );
}

function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const REWRITE = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.location);
const database = new Database(workerData.file, { fileMustExist: true, timeout: workerData.timeout });
let failure = null;
const attempt = (work) => {
  try {
    work();
  } catch (error) {
    failure ??= { message: error.message, code: String(error.code) };
  }
};
attempt(() => {
  database.pragma('synchronous = FULL');
  database.exec('VACUUM');
});
// also what a full disk left half-written in the log
attempt(() => {
  database.pragma('busy_timeout = 0');
  database.pragma('wal_checkpoint(TRUNCATE)');
});
database.close();
parentPort.postMessage(failure);`;

function inThread(driver: Driver, file: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const thread = new Worker(REWRITE, {
      eval: true,
      workerData: { location: driver.location, file, timeout: BUSY_TIMEOUT_MS },
    });
    let failure: { message: string; code: string } | null = null;
    let isOver = false;
    thread.once('message', (found: typeof failure) => {
      failure = found;
      isOver = true;
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      if (failure !== null) reject(Object.assign(new Error(failure.message), { code: failure.code }));
      else if (isOver) resolve();
      else reject(new Error('the rewrite of the database ended without a result'));
    });
  });
}
