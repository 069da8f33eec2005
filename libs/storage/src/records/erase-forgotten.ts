import type { Database } from '../database/driver.js';
import type { IndexWriter } from '@claude-mem/lexical-index';

/** Rewrites the file and empties its log. Returns false when a reader prevented the log from being emptied. */
type RewriteFile = () => Promise<boolean>;

/** Returns false when it must be repeated: a reader prevented it, or more was deleted meanwhile. */
export type Erase = (rewrite: RewriteFile) => Promise<boolean>;

/** Records, in the transaction of a deletion, that data must be overwritten. */
export function markErasable(database: Database): void {
  database.exec(`INSERT INTO search_state VALUES ('erase-due', 1)
    ON CONFLICT (name) DO UPDATE SET value = value + 1`);
}

/** Checks whether no data must be overwritten, including data in the bin. */
export function createIsErased(database: Database): () => boolean {
  const left = database.prepare(`
    SELECT 1 FROM search_state WHERE name = 'erase-due' UNION ALL SELECT 1 FROM forget_bin LIMIT 1`);
  return () => left.get() === undefined;
}

/**
 * The text of deleted rows remains in free space, in moved pages, in the log, and as words in the indexes. Unused
 * words are removed, the indexes are merged, and the file is rewritten, in small steps that yield to other work.
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
