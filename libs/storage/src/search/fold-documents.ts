import type { Database } from '../database/driver.js';
import { decodeDocumentTerms } from './document-terms.js';
import { appendPostings, type Posting } from './postings.js';

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

  const idOf = (term: string) =>
    (termId.get(term) as number | undefined) ?? Number(addTerm.run(term).lastInsertRowid);

  return () => {
    const rows = waiting.all(FOLD_LIMIT) as [documentId: number, terms: Uint8Array][];
    const [last] = rows.at(-1) ?? [];
    if (last === undefined) return 0;
    const postings = [...groupByTerm(rows)].map(([term, added]) => ({ id: idOf(term), added }));
    for (const { id, added } of postings.sort((a, b) => a.id - b.id)) {
      const first = id * BLOCKS_PER_TERM;
      const [blockId, data] = (lastBlock.get(first, first + BLOCKS_PER_TERM) ?? [first, null]) as [
        number,
        Uint8Array | null,
      ];
      appendPostings(data, added).forEach((block, place) => putBlock.run(blockId + place, block));
    }
    dropFolded.run(last);
    grow.run();
    return rows.length;
  };
}

function groupByTerm(rows: readonly (readonly [number, Uint8Array])[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  for (const [documentId, data] of rows)
    for (const { term, counts } of decodeDocumentTerms(data)) {
      const found = postings.get(term);
      if (found) found.push({ documentId, counts });
      else postings.set(term, [{ documentId, counts }]);
    }
  return postings;
}
