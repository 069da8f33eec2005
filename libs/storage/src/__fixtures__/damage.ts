import { closeSync, openSync, writeSync } from 'node:fs';
import { canonicalTables } from '../recovery/canonical-tables.js';
import { tamperWith } from './open-test-storage.js';

const PAGE = 4_096;

/** Overwrites 512 bytes of a leaf page in the middle of a table with zeros. `sector` is 0 to 7. */
export function eraseSector(file: string, table: string, sector: number): void {
  const pages = tamperWith(file, (database) => {
    database.pragma('wal_checkpoint(TRUNCATE)');
    return database
      .prepare(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno`)
      .pluck()
      .all(table) as number[];
  });
  const page = pages[pages.length >> 1]!;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(512), 0, 512, (page - 1) * PAGE + sector * 512);
  closeSync(descriptor);
}

/** Overwrites pages of a table or index, as a failing disk does. Returns how many; a file that is open sees it afterwards. */
export function overwritePages(
  file: string,
  name: string,
  choose: (pages: readonly number[]) => readonly number[] = (pages) => pages,
): number {
  const pages = tamperWith(file, (database) => {
    database.pragma('wal_checkpoint(TRUNCATE)');
    const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name);
    const all = database
      .prepare('SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno')
      .pluck()
      .all(name);
    return [...new Set([root, ...all])] as number[];
  });
  const chosen = choose(pages);
  const descriptor = openSync(file, 'r+');
  for (const page of chosen) writeSync(descriptor, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE);
  closeSync(descriptor);
  // another connection changes the file, so that one that is open reads its pages again
  try {
    tamperWith(file, (database) => {
      database.pragma(`user_version = ${database.pragma('user_version', { simple: true })}`);
    });
  } catch {
    // it is too damaged even for that
  }
  return chosen.length;
}

export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Every row that is not derived, by table. */
export function dumpRecords(file: string): Dump {
  return tamperWith(file, (database) =>
    Object.fromEntries(
      canonicalTables(database).map(({ name, primaryKey }) => [
        name,
        database.prepare(`SELECT * FROM ${name} ORDER BY ${primaryKey.join(', ')}`).all() as Dump[string],
      ]),
    ),
  );
}
