import { damaged, isIndexDamage } from './index-damage.js';
import { decodeDocumentRows } from './document-row.js';
import { termsIn } from './document-terms.js';
import { BLOCKS_PER_TERM } from './fold-documents.js';
import { decodePostings } from './postings.js';
import type { SqlDatabase } from './sql-database.js';

const DOCUMENTS_AT_ONCE = 4_096;
const BLOCKS_AT_ONCE = 250;

/**
 * Reads all of the index and tells the first thing that is wrong with it; null when nothing is. Pauses after each piece, during which
 * others may write.
 */
export function* inspectIndex(database: SqlDatabase): Generator<void, string | null> {
  try {
    yield* inspectDocuments(database);
    inspectUnfolded(database);
    yield;
    return yield* inspectPostings(database);
  } catch (error) {
    if (isIndexDamage(error)) return 'a value of it cannot be read';
    throw error;
  }
}

/** @throws ClaudeMemError `storage/corrupt` */
export function* inspectDocuments(database: SqlDatabase): Generator<void, void> {
  const read = database
    .prepare(
      `SELECT max(id), CAST(group_concat(data, '') AS BLOB), json_group_array(id) FROM (
         SELECT id, data FROM search_documents WHERE id > ? ORDER BY id LIMIT ${DOCUMENTS_AT_ONCE})`,
    )
    .raw();
  for (let after = -1; ;) {
    const [last, data, ids] = read.get(after) as [number | null, Uint8Array, string];
    if (last === null) return;
    const found = JSON.stringify(Array.from(decodeDocumentRows(data), ([id]) => id));
    if (found !== ids) throw damaged();
    after = last;
    yield;
  }
}

function inspectUnfolded(database: SqlDatabase): void {
  const terms = database.prepare('SELECT terms FROM search_unfolded').pluck();
  for (const data of terms.iterate() as Iterable<Uint8Array>) termsIn(data);
}

function* inspectPostings(database: SqlDatabase): Generator<void, string | null> {
  const read = database
    .prepare(
      `SELECT block.id, block.data, term.id FROM search_postings AS block
       LEFT JOIN search_terms AS term ON term.id = block.id / ${BLOCKS_PER_TERM}
       WHERE block.id > ? ORDER BY block.id LIMIT ${BLOCKS_AT_ONCE}`,
    )
    .raw();
  const state = database
    .prepare(
      `SELECT (SELECT value FROM search_state WHERE name = 'generation'),
         (SELECT value FROM search_state WHERE name = 'postings')`,
    )
    .raw();
  const [generation, expected] = state.get() as [number, number | null];
  let total = 0;
  for (let after = -1; ;) {
    const rows = read.all(after) as [id: number, data: Uint8Array, term: number | null][];
    for (const [id, data, term] of rows) {
      if (term === null) return 'a term is missing';
      const isFirst = id % BLOCKS_PER_TERM === 0;
      if (!isFirst && id !== after + 1) return 'a part of a term is missing';
      total += decodePostings([data]).documents.length;
      after = id;
    }
    if (rows.length < BLOCKS_AT_ONCE) break;
    yield;
  }
  // What was folded meanwhile was read in part only.
  if ((state.get() as [number])[0] !== generation) return null;
  if (expected !== null && expected !== total) return `${total} places are there instead of ${expected}`;
  return null;
}
