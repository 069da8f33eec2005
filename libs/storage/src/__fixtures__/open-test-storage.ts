import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFixedClock, type FixedClock } from '@claude-mem/core/testing';
import { loadDriver, type Database } from '../database/driver.js';
import { openStorage, type OpenStorageOptions } from '../open-storage.js';
import type { Storage } from '../storage.js';

export interface TestFolder extends Disposable {
  folder: string;
  file: string;
  backupsDir: string;
}

/** A folder of its own, removed afterwards. */
export function createTestFolder(): TestFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-storage-'));
  return {
    folder,
    file: path.join(folder, 'claude-mem.db'),
    backupsDir: path.join(folder, 'backups'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface TestStorage extends AsyncDisposable {
  storage: Storage;
  clock: FixedClock;
  place: TestFolder;
  /** A second connection with every right, for what no caller of the library could do. */
  tamper<Value>(change: (database: Database) => Value): Value;
  dispose(): Promise<void>;
}

let emptyDatabase: Promise<Buffer> | undefined;

/** A database after all migrations, which take longer than most tests. */
async function readEmptyDatabase(): Promise<Buffer> {
  using place = createTestFolder();
  await (await openStorage({ file: place.file, backupsDir: place.backupsDir })).close();
  return readFileSync(place.file);
}

/** An open storage in a folder of its own. */
export async function openTestStorage(options: Partial<OpenStorageOptions> = {}): Promise<TestStorage> {
  const place = createTestFolder();
  emptyDatabase ??= readEmptyDatabase();
  writeFileSync(place.file, await emptyDatabase);
  const clock = createFixedClock();
  const storage = await openStorage({ file: place.file, backupsDir: place.backupsDir, clock, ...options });
  const dispose = async () => {
    await storage.close();
    place[Symbol.dispose]();
  };
  return {
    storage,
    clock,
    place,
    tamper: (change) => tamperWith(place.file, change),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Changes a database behind the library's back, with foreign keys and checks off. */
export function tamperWith<Value>(file: string, change: (database: Database) => Value): Value {
  const database = loadDriver().open(file, { timeout: 5_000 });
  try {
    database.pragma('foreign_keys = OFF');
    database.pragma('ignore_check_constraints = ON');
    return change(database);
  } finally {
    database.close();
  }
}
