import { decodeDocumentRows, type DocumentRow } from './document-row.js';
import { BLOCKS_PER_TERM } from './fold-documents.js';
import { createFullTextMatch, type FullTextMatch } from './full-text.js';
import type { SqlDatabase } from './sql-database.js';

export interface IndexTablesState {
  /**
   * Changes when documents were merged into the postings, or the index was rebuilt. Cached postings are then
   * outdated.
   */
  generation: number;
  /** Changes when the index was rebuilt, or old removals were deleted. All cached data is then outdated. */
  epoch: number;
  /** Largest document id and removal id so far. */
  lastDocumentId: number;
  lastRemovalId: number;
  /** Number of records in the index, and of all records. Equal when the index is complete. */
  indexed: number;
  total: number;
}

/**
 * The tables of the index. A document is one version of a record; a changed record is a new document and the removal of the old
 * one. A new document has its own terms until they are merged into the postings.
 */
export interface IndexTables {
  /** Runs a function on one state of the database. */
  snapshot<Value>(work: () => Value): Value;
  /** Changes when another connection commits. */
  dataVersion(): number;
  state(): IndexTablesState;
  /** Documents with a larger id, in ascending order, without those that were removed before the snapshot. */
  documentsAfter(id: number): IterableIterator<DocumentRow>;
  /** Removed documents and vectors, in the order of the removals. */
  removalsAfter(id: number): readonly { id: number; documentId: number | null; vectorId: number | null }[];
  /** Encoded terms (`decodeDocumentTerms`) of documents with a larger id that are not merged into the postings yet. */
  unfoldedAfter(id: number): readonly { documentId: number; terms: Uint8Array }[];
  /** Terms that start with the prefix, sorted, also of documents that are not merged yet. */
  termsWithPrefix(prefix: string, limit: number): readonly string[];
  /** The blocks of a term (`decodePostings`) in ascending order of documents. They may contain removed documents. */
  postings(term: string): readonly Uint8Array[];
  matchSyntax: FullTextMatch;
  /** Hosts of sessions with a larger id, in ascending order; the host of a session never changes. */
  sessionHosts(afterId: number): readonly { id: number; host: string }[];
}

const DOCUMENTS_PER_READ = 4_096;

/** Reads the index of a database. The tables must exist. */
export function createIndexReader(database: SqlDatabase): IndexTables {
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const dataVersion = database.prepare('PRAGMA data_version').pluck();
  const sequence = (table: string) =>
    `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`;
  const stateValue = (name: string) => `coalesce((SELECT value FROM search_state WHERE name = '${name}'), 0)`;
  const state =
    database.prepare(`SELECT ${stateValue('generation')} AS generation, ${stateValue('epoch')} AS epoch,
    max(${stateValue('documents')}, 0) AS indexed,
    max(${stateValue('documents')}, 0) + (SELECT count(*) FROM search_pending) AS total,
    ${sequence('search_documents')} AS lastDocumentId, ${sequence('search_removals')} AS lastRemovalId`);
  const lastOf = database
    .prepare('SELECT max(id) FROM (SELECT id FROM search_documents WHERE id > ? ORDER BY id LIMIT ?)')
    .pluck();
  const documents = database
    .prepare(
      `SELECT CAST(group_concat(data, '') AS BLOB) FROM (
      SELECT data FROM search_documents WHERE id > ? AND id <= ? ORDER BY id)`,
    )
    .pluck();
  const removals = database.prepare(
    'SELECT id, document_id AS documentId, vector_id AS vectorId FROM search_removals WHERE id > ? ORDER BY id',
  );
  const unfolded = database.prepare(
    'SELECT document_id AS documentId, terms FROM search_unfolded WHERE document_id > ? ORDER BY document_id',
  );
  const termId = database.prepare('SELECT id FROM search_terms WHERE term = ?').pluck();
  const termsBetween = database
    .prepare('SELECT term FROM search_terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?')
    .pluck();
  const blocks = database
    .prepare('SELECT data FROM search_postings WHERE id >= ? AND id < ? ORDER BY id')
    .pluck();
  const sessionHosts = database.prepare('SELECT id, host FROM sdk_sessions WHERE id > ? ORDER BY id');

  return {
    snapshot(work) {
      if (database.inTransaction) return work();
      begin.run();
      try {
        return work();
      } finally {
        if (database.inTransaction) commit.run();
      }
    },
    dataVersion: () => dataVersion.get() as number,
    state: () => state.get() as IndexTablesState,
    *documentsAfter(id) {
      for (let after = id; ;) {
        const last = lastOf.get(after, DOCUMENTS_PER_READ) as number | null;
        if (last === null) return;
        for (const row of decodeDocumentRows(documents.get(after, last) as Uint8Array)) yield row;
        after = last;
      }
    },
    removalsAfter: (id) => removals.all(id) as ReturnType<IndexTables['removalsAfter']>,
    unfoldedAfter: (id) => unfolded.all(id) as ReturnType<IndexTables['unfoldedAfter']>,
    termsWithPrefix: (prefix, limit) => termsBetween.all(prefix, `${prefix}\u{10ffff}`, limit) as string[],
    postings(term) {
      const id = termId.get(term) as number | undefined;
      return id === undefined
        ? []
        : (blocks.all(id * BLOCKS_PER_TERM, (id + 1) * BLOCKS_PER_TERM) as Uint8Array[]);
    },
    matchSyntax: createFullTextMatch(database),
    sessionHosts: (afterId) => sessionHosts.all(afterId) as ReturnType<IndexTables['sessionHosts']>,
  };
}
