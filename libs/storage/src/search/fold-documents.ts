import type { Database } from '../database/driver.js';
import { visitDocumentTerms } from './document-terms.js';
import { createBlockBuilder } from './postings.js';

/** As many documents as are folded in one go; more take memory, fewer touch the same blocks more often. */
const FOLD_LIMIT = 4_000;
/** Room for the blocks of one term in the ids of `search_postings`. */
export const BLOCKS_PER_TERM = 2 ** 20;

/**
 * Moves the terms of waiting documents into the postings, oldest first, at most FOLD_LIMIT at a time. The caller holds the
 * transaction. Returns how many were moved.
 */
export function createFolder(database: Database): () => number {
  const waiting = database
    .prepare('SELECT document_id, terms FROM search_unfolded ORDER BY document_id LIMIT ?')
    .raw();
  const dropFolded = database.prepare('DELETE FROM search_unfolded WHERE document_id <= ?');
  const termId = database.prepare('SELECT id FROM search_terms WHERE term = ?').pluck();
  const addTerm = database.prepare('INSERT INTO search_terms (term) VALUES (?)');
  const lastBlock = database
    .prepare('SELECT id, data FROM search_postings WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1')
    .raw();
  const putBlock = database.prepare('INSERT OR REPLACE INTO search_postings VALUES (?, ?)');
  const grow = database.prepare(`UPDATE search_state SET value = value + 1 WHERE name = 'generation'`);

  /** Neighbours in the table are written one after the other. */
  const inOrderOfId = (terms: ReadonlyMap<string, readonly number[]>) =>
    [...terms]
      .map(([term, places]) => {
        const known = termId.get(term) as number | undefined;
        return { id: known ?? Number(addTerm.run(term).lastInsertRowid), isNew: known === undefined, places };
      })
      .sort((a, b) => a.id - b.id);

  return () => {
    const rows = waiting.all(FOLD_LIMIT) as Waiting[];
    const [last] = rows.at(-1) ?? [];
    if (last === undefined) return 0;
    const builder = createBlockBuilder();
    for (const { id, isNew, places } of inOrderOfId(groupByTerm(rows))) {
      const first = id * BLOCKS_PER_TERM;
      const found = isNew ? undefined : lastBlock.get(first, first + BLOCKS_PER_TERM);
      const [blockId, block] = (found ?? [first, null]) as [number, Uint8Array | null];
      builder.begin(block);
      for (let at = 0; at < places.length; at += PLACE) {
        const [documentId, data] = rows[places[at] as number] as Waiting;
        builder.add(documentId, data, places[at + 1] as number, places[at + 2] as number);
      }
      builder.finish().forEach((data, place) => putBlock.run(blockId + place, data));
    }
    dropFolded.run(last);
    grow.run();
    return rows.length;
  };
}

type Waiting = readonly [documentId: number, terms: Uint8Array];

/** Numbers in a row for each place of a term: which document, and where in its data the counts begin and end. */
const PLACE = 3;

function groupByTerm(rows: readonly Waiting[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  rows.forEach(([, data], row) =>
    visitDocumentTerms(data, (term, start, end) => {
      const found = places.get(term);
      if (found) found.push(row, start, end);
      else places.set(term, [row, start, end]);
    }),
  );
  return places;
}
