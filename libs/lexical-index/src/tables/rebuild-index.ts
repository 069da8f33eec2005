import { ANALYSIS_VERSION } from '../analysis/analyze-record.js';
import { FULL_TEXT_TABLES } from './full-text.js';
import { isIndexDamage } from './index-damage.js';
import { inspectDocuments } from './inspect-index.js';
import type { SqlDatabase } from './sql-database.js';

/**
 * Records that are neither in the index nor wait for it, documents of records that are no more, and a count of them that is wrong: our
 * own writes leave none of it behind.
 */
export function repairDocuments(database: SqlDatabase): void {
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM observations) + (SELECT count(*) FROM session_summaries)
           + (SELECT count(*) FROM user_prompts) AS records,
         (SELECT count(*) FROM search_documents) AS documents, (SELECT count(*) FROM search_pending) AS pending,
         (SELECT value FROM search_state WHERE name = 'documents') AS counted,
         EXISTS (SELECT 1 FROM search_state WHERE name = 'rebuilding') AS rebuilding`,
    )
    .get() as Record<'records' | 'documents' | 'pending' | 'counted' | 'rebuilding', number>;
  const { records, documents, pending, counted, rebuilding } = counts;
  if (rebuilding === 0 && records === documents + pending && counted === documents) return;
  const repairStatements = RECORD_TABLES.map(
    (table, kind) => `
      DELETE FROM search_documents WHERE kind = ${kind} AND record_id NOT IN (SELECT id FROM ${table});
      DELETE FROM search_pending WHERE kind = ${kind} AND record_id NOT IN (SELECT id FROM ${table});
      INSERT OR IGNORE INTO search_pending SELECT ${kind}, id FROM ${table} WHERE id NOT IN
        (SELECT record_id FROM search_documents WHERE kind = ${kind});`,
  );
  const recount = `UPDATE search_state SET value = (SELECT count(*) FROM search_documents)
    WHERE name = 'documents' AND NOT EXISTS (SELECT 1 FROM search_state WHERE name = 'rebuilding')`;
  database.transaction(() => void database.exec(`${repairStatements.join('')}${recount}`)).immediate();
}

const RECORD_TABLES = ['observations', 'session_summaries', 'user_prompts'] as const;

/**
 * Empties the index of words and queues every record. Documents stay until they are indexed again, so that what else looks for records
 * still finds them; those that cannot be read go. The caller holds the transaction.
 */
export function rebuildIndex(database: SqlDatabase): void {
  for (const table of FULL_TEXT_TABLES)
    database.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
  if (!areDocumentsGood(database)) dropDocuments(database);
  database.exec(`
    DELETE FROM search_unfolded;
    DELETE FROM search_terms;
    DELETE FROM search_postings;
    DELETE FROM search_pending;
    DELETE FROM search_removals;
    INSERT INTO search_pending SELECT 0, id FROM observations;
    INSERT INTO search_pending SELECT 1, id FROM session_summaries;
    INSERT INTO search_pending SELECT 2, id FROM user_prompts;
    DELETE FROM search_state WHERE name = 'rebuild-removals';
    INSERT INTO search_state VALUES
        ('documents', 0), ('postings', 0), ('rebuilding', 1), ('analysis-version', ${ANALYSIS_VERSION})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value;
    INSERT INTO search_state VALUES ('epoch', 1), ('generation', 1)
      ON CONFLICT (name) DO UPDATE SET value = value + 1;
  `);
  if (!hasPending(database)) endRebuild(database);
}

/** Whether records wait to be indexed. */
export const hasPending = (database: SqlDatabase) =>
  database.prepare('SELECT 1 FROM search_pending LIMIT 1').get() !== undefined;

/** True from `rebuildIndex` until every record is indexed again. */
export const isRebuilding = (database: SqlDatabase) =>
  database.prepare(`SELECT 1 FROM search_state WHERE name = 'rebuilding'`).get() !== undefined;

/** Records that changed or went meanwhile made the count wrong. What the new beginning removed is no reason for another. */
export function endRebuild(database: SqlDatabase): void {
  database.exec(`
    DELETE FROM search_state WHERE name = 'rebuilding';
    UPDATE search_state SET value = (SELECT count(*) FROM search_documents) WHERE name = 'documents';
    INSERT INTO search_state SELECT 'rebuild-removals', count(document_id) FROM search_removals WHERE 1
      ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  `);
}

function areDocumentsGood(database: SqlDatabase): boolean {
  try {
    const pieces = inspectDocuments(database);
    while (pieces.next().done !== true);
    return true;
  } catch (error) {
    if (!isIndexDamage(error)) throw error;
    return false;
  }
}

/** Without its trigger a table is emptied in one go; what was read of it is stale by the epoch. */
function dropDocuments(database: SqlDatabase): void {
  const name = 'search_documents_removed';
  const trigger = database
    .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?`)
    .pluck()
    .get(name) as string | undefined;
  database.exec(`DROP TRIGGER IF EXISTS ${name}; DELETE FROM search_documents; ${trigger ?? ''};`);
}
