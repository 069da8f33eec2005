import { damaged } from './index-damage.js';
import { termsIn, visitDocumentTerms } from './document-terms.js';
import { createBlockBuilder } from './postings.js';
import type { TermRegister } from './term-register.js';
import type { SqlDatabase } from './sql-database.js';

/** Number of documents per merge. More block others for longer; fewer write the same blocks more often. */
export const FOLD_LIMIT = 1_024;
/** Limits for long documents, by the bytes of their terms and by the number of different terms. */
export const FOLD_BYTES = 1024 * 1024;
const FOLD_TERMS = 32_000;
/** Maximum number of blocks per term in the ids of `search_postings`. */
export const BLOCKS_PER_TERM = 2 ** 20;

/** Merges the terms of some new documents into the postings, oldest first. The caller holds the transaction. */
export function createFolder(database: SqlDatabase, register: TermRegister): () => void {
  const waiting = database
    .prepare(
      `SELECT document_id, terms FROM (
         SELECT document_id, terms, sum(length(terms)) OVER (ORDER BY document_id) - length(terms) AS bytes_before
         FROM (SELECT document_id, terms FROM search_unfolded ORDER BY document_id LIMIT ${FOLD_LIMIT}))
       WHERE bytes_before < ${FOLD_BYTES}`,
    )
    .raw();
  const dropFolded = database.prepare('DELETE FROM search_unfolded WHERE document_id <= ?');
  const lastBlockBefore = database
    .prepare('SELECT id, data FROM search_postings WHERE id < ? ORDER BY id DESC LIMIT 1')
    .raw();
  const putBlock = database.prepare('INSERT OR REPLACE INTO search_postings VALUES (?, ?)');
  const grow = database.prepare(`UPDATE search_state SET value = value + 1 WHERE name = 'generation'`);
  const count = database.prepare(`UPDATE search_state SET value = value + ? WHERE name = 'postings'`);
  const builder = createBlockBuilder();

  const fold = () => {
    const rows = waiting.all() as Waiting[];
    const { places, last } = groupByTerm(rows, register);
    if (last === null) return;
    // In the order of the blocks in the file.
    const termIds = [...places.keys()].sort((one, other) => one - other);
    let postings = 0;
    for (const termId of termIds) {
      const first = termId * BLOCKS_PER_TERM;
      const before = lastBlockBefore.get(first + BLOCKS_PER_TERM) as Block | undefined;
      const [id, block] = before !== undefined && before[0] >= first ? before : ([first, null] as const);
      builder.begin(block);
      const found = places.get(termId) as number[];
      postings += found.length / PLACE;
      for (let at = 0; at < found.length; at += PLACE) {
        const [documentId, data] = rows[found[at] as number] as Waiting;
        builder.add(documentId, data, found[at + 1] as number, found[at + 2] as number);
      }
      builder.finish().forEach((bytes, number) => putBlock.run(id + number, bytes));
    }
    dropFolded.run(last);
    count.run(postings);
    grow.run();
    register.folded(last);
  };
  return () => register.work(fold);
}

type Block = readonly [id: number, data: Uint8Array];
type Waiting = readonly [documentId: number, terms: Uint8Array];

/** Numbers for each occurrence of a term: the document, and the start and end of the counts in its data. */
const PLACE = 3;

/** Limits the documents when all of them together have too many different terms for one merge. */
function groupByTerm(
  rows: readonly Waiting[],
  register: TermRegister,
): { places: ReadonlyMap<number, readonly number[]>; last: number | null } {
  const places = new Map<number, number[]>();
  let last: number | null = null;
  for (const [row, [documentId, data]] of rows.entries()) {
    const ids = register.kept(documentId) ?? register.idsOf(termsIn(data));
    if (ids === null) throw damaged();
    let place = 0;
    visitDocumentTerms(data, (_, start, end) => {
      const id = ids[place++];
      if (id === undefined) throw damaged();
      const found = places.get(id);
      if (found) found.push(row, start, end);
      else places.set(id, [row, start, end]);
    });
    if (place !== ids.length) throw damaged();
    last = documentId;
    if (places.size >= FOLD_TERMS) break;
  }
  return { places, last };
}
