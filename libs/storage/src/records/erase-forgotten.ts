import { BUSY_TIMEOUT_MS } from '../database/open-connection.js';
import type { Database } from '../database/driver.js';
import { createDropDeadTerms } from '../search/drop-dead-terms.js';
import { FULL_TEXT_TABLES } from '../search/search-writer.js';
import type { TermRegister } from '../search/term-register.js';

/** Notes, in the transaction that forgets, that there is something to be overwritten. */
export function markErasable(database: Database): void {
  database.exec(`INSERT INTO search_state VALUES ('erase-due', 1)
    ON CONFLICT (name) DO UPDATE SET value = value + 1`);
}

/**
 * Deleted rows leave their text in free space, in pages that were moved, in the log, and word by word in the indexes: words
 * that nothing has any more are dropped, the file is written anew, and the log is cut to nothing. Others get their turn between
 * the steps. False when it has to be done again: a reader kept the log from being cut, or more was forgotten meanwhile.
 */
export function createErase(database: Database, register: TermRegister): () => Promise<boolean> {
  const due = database.prepare(`SELECT value FROM search_state WHERE name = 'erase-due'`).pluck();
  const done = database.prepare(`DELETE FROM search_state WHERE name = 'erase-due' AND value = ?`);
  const steps: readonly (() => unknown)[] = [
    database.transaction(createDropDeadTerms(database, register)).immediate,
    ...FULL_TEXT_TABLES.map(
      (table) => () => database.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`),
    ),
    () => database.exec('VACUUM'),
  ];
  return async () => {
    const asked = due.get();
    if (asked === undefined) return true;
    for (const step of steps) {
      if (!database.open) return false;
      step();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return database.open && isLogCut(database) && done.run(asked).changes > 0;
  };
}

/** Without waiting: whoever reads holds up everybody else. */
function isLogCut(database: Database): boolean {
  database.pragma('busy_timeout = 0');
  try {
    const [state] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return state?.busy === 0;
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
