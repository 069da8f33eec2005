import { BUSY_TIMEOUT_MS } from '../database/open-connection.js';
import type { Database } from '../database/driver.js';
import { createDropDeadTerms } from '../search/drop-dead-terms.js';
import { FULL_TEXT_TABLES } from '../search/search-writer.js';
import type { TermRegister } from '../search/term-register.js';

/** Notes, in the transaction that forgets, that there is something to be overwritten. */
export function markErasable(database: Database): void {
  database.exec(`INSERT OR IGNORE INTO search_state VALUES ('erase-due', 1)`);
}

/**
 * Deleted rows leave their text in free space, in pages that were moved, in the log, and word by word in the indexes: words
 * that nothing has any more are dropped, the file is written anew, and the log is cut to nothing. False when a reader kept
 * the log from being cut.
 */
export function createErase(database: Database, register: TermRegister): () => boolean {
  const isDue = database.prepare(`SELECT 1 FROM search_state WHERE name = 'erase-due'`).pluck();
  const done = database.prepare(`DELETE FROM search_state WHERE name = 'erase-due'`);
  const dropDeadTerms = createDropDeadTerms(database, register);
  const dropWords = database.transaction(() => {
    dropDeadTerms();
    for (const table of FULL_TEXT_TABLES)
      database.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  });
  return () => {
    if (isDue.get() === undefined) return true;
    dropWords.immediate();
    database.exec('VACUUM');
    if (!isLogCut(database)) return false;
    done.run();
    return true;
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
