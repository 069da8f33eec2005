import { Worker } from 'node:worker_threads';
import type { Database, Driver } from '../database/driver.js';

/** Problems of a database file. Both lists are empty when the file is intact. */
export interface Damage {
  /** Problems that only a backup can fix. */
  file: readonly string[];
  /** Problems of derived data, which can be rebuilt. */
  index: readonly string[];
}

const CHECK = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.location);
let database;
try {
  database = new Database(workerData.file, { readonly: true, fileMustExist: true, timeout: 5000 });
  const isThorough = workerData.isThorough;
  const found = database.prepare(isThorough ? 'PRAGMA integrity_check(5)' : 'PRAGMA quick_check(5)').pluck().all();
  if (isThorough)
    for (const { table, rowid, parent } of database.pragma('foreign_key_check').slice(0, 5))
      found.push('row ' + rowid + ' of ' + table + ' has none in ' + parent);
  parentPort.postMessage(found);
} catch (error) {
  const code = String(error && error.code);
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
  parentPort.postMessage([code + ': ' + error.message]);
} finally {
  if (database) database.close();
}`;

/**
 * Checks the complete file in a thread, so that the event loop is not blocked. Rejects when the file cannot be read
 * at all.
 */
export function checkInBackground(
  driver: Driver,
  file: string,
  {
    signal,
    isThorough = false,
  }: {
    signal?: AbortSignal;
    /** Also compares indexes with their tables and looks for rows without parents. @default false */
    isThorough?: boolean;
  } = {},
): Promise<Damage> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const thread = new Worker(CHECK, {
      eval: true,
      workerData: { location: driver.location, file, isThorough },
    });
    const stop = () => {
      reject(signal?.reason);
      void thread.terminate();
    };
    signal?.addEventListener('abort', stop, { once: true });
    thread.unref();
    thread.once('message', (found: readonly string[]) => resolve(damageIn(found)));
    thread.once('error', reject);
    thread.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      reject(new Error('the check of the database ended without a result'));
    });
  });
}

export function checkOpen(database: Database): Damage {
  const check = database.transaction(() => {
    // The first read starts the snapshot. Otherwise a full-text table that another process is changing could not be
    // opened.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database.prepare('PRAGMA quick_check(5)').pluck().all() as string[];
  });
  return damageIn(check());
}

/** Separates problems of FTS5 tables, which SQLite checks too, from problems of other tables. */
function damageIn(found: readonly string[]): Damage {
  const lines = found.filter((line) => line !== 'ok');
  const isIndex = (line: string) => /fts5|^SQLITE_CORRUPT_VTAB/i.test(line);
  return { file: lines.filter((line) => !isIndex(line)), index: lines.filter(isIndex) };
}
