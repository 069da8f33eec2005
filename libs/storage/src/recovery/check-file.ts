import { Worker } from 'node:worker_threads';
import { openReadable } from '../database/open-connection.js';
import type { Driver } from '../database/driver.js';

/** What a check found wrong; nothing means the file is good. */
export type Damage = readonly string[];

const CHECK = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.location);
let database;
try {
  database = new Database(workerData.file, { readonly: true, fileMustExist: true, timeout: 5000 });
  const found = database.prepare('PRAGMA quick_check(5)').pluck().all();
  parentPort.postMessage(found.filter((line) => line !== 'ok'));
} catch (error) {
  const code = String(error && error.code);
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
  parentPort.postMessage([code + ': ' + error.message]);
} finally {
  if (database) database.close();
}`;

/** Reads the whole file in a thread, so that the caller's loop goes on. Rejects when it could not be read at all. */
export function checkInBackground(driver: Driver, file: string, signal?: AbortSignal): Promise<Damage> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const thread = new Worker(CHECK, { eval: true, workerData: { location: driver.location, file } });
    const stop = () => {
      reject(signal?.reason);
      void thread.terminate();
    };
    signal?.addEventListener('abort', stop, { once: true });
    thread.unref();
    thread.once('message', (damage: Damage) => resolve(damage));
    thread.once('error', reject);
    thread.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      reject(new Error('the check of the database ended without an answer'));
    });
  });
}

/** Checks a file that nobody writes, at once. */
export function checkNow(driver: Driver, file: string): Damage {
  const database = openReadable(driver, file);
  try {
    const found = database.prepare('PRAGMA quick_check(5)').pluck().all() as string[];
    return found.filter((line) => line !== 'ok');
  } finally {
    database.close();
  }
}
