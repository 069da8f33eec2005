import type { Database } from '../database/driver.js';
import type { IndexWriter } from '@claude-mem/lexical-index';

/** Writes the file anew and cuts its log to nothing. False when a reader kept the log from being cut. */
type RewriteFile = () => Promise<boolean>;

/** False when it has to be done again: a reader kept the log from being cut, or more was forgotten meanwhile. */
export type Erase = (rewrite: RewriteFile) => Promise<boolean>;

/** Notes, in the transaction that takes text away, that there is something to be overwritten. */
export function markErasable(database: Database): void {
  database.exec(`INSERT INTO search_state VALUES ('erase-due', 1)
    ON CONFLICT (name) DO UPDATE SET value = value + 1`);
}

/** Whether nothing waits for being overwritten, also in the bin. */
export function createIsErased(database: Database): () => boolean {
  const left = database.prepare(`
    SELECT 1 FROM search_state WHERE name = 'erase-due' UNION ALL SELECT 1 FROM forget_bin LIMIT 1`);
  return () => left.get() === undefined;
}

/**
 * Deleted rows leave their text in free space, in pages that were moved, in the log, and word by word in the indexes: words
 * that nothing has any more are dropped, the indexes are merged, and the file is written anew. In small steps, between which
 * others get their turn.
 */
export function createErase(database: Database, search: IndexWriter): Erase {
  const due = database.prepare(`SELECT value FROM search_state WHERE name = 'erase-due'`).pluck();
  const done = database.prepare(`DELETE FROM search_state WHERE name = 'erase-due' AND value = ?`);
  return async (rewrite) => {
    const asked = due.get();
    if (asked === undefined) return true;
    for (const _ of search.eraseSteps()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!database.open) return false;
    }
    return (await rewrite()) && database.open && done.run(asked).changes > 0;
  };
}
