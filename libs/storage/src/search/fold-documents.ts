import type { Database } from '../database/driver.js';
import { visitDocumentTerms } from './document-terms.js';
import { createBlockBuilder } from './postings.js';

/** As many documents are folded in one go: more keep others waiting longer, fewer touch the same blocks more often. */
export const FOLD_LIMIT = 512;
/** Fewer of them when their terms take more than that: a long prompt has as many as a hundred observations. */
export const FOLD_BYTES = 512 * 1024;
const TERMS_AT_ONCE = 1_000;
/** Room for the blocks of one term in the ids of `search_postings`. */
export const BLOCKS_PER_TERM = 2 ** 20;

/** Moves the terms of some waiting documents into the postings, oldest first. The caller holds the transaction. */
export function createFolder(database: Database): () => void {
  const waiting = database
    .prepare(
      `SELECT document_id, terms FROM (
         SELECT document_id, terms, sum(length(terms)) OVER (ORDER BY document_id) - length(terms) AS bytes_before
         FROM (SELECT document_id, terms FROM search_unfolded ORDER BY document_id LIMIT ${FOLD_LIMIT}))
       WHERE bytes_before < ${FOLD_BYTES}`,
    )
    .raw();
  const dropFolded = database.prepare('DELETE FROM search_unfolded WHERE document_id <= ?');
  const addTerms = database.prepare(
    'INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)',
  );
  // One statement for a thousand terms: each call from outside costs more than what it finds.
  const lastBlocks = database
    .prepare(
      `SELECT wanted.key, term.id, block.id, block.data
       FROM json_each(?) AS wanted CROSS JOIN search_terms AS term ON term.term = wanted.value
       LEFT JOIN search_postings AS block ON block.id = (
         SELECT max(id) FROM search_postings
         WHERE id >= term.id * ${BLOCKS_PER_TERM} AND id < (term.id + 1) * ${BLOCKS_PER_TERM})`,
    )
    .raw();
  const putBlock = database.prepare('INSERT OR REPLACE INTO search_postings VALUES (?, ?)');
  const grow = database.prepare(`UPDATE search_state SET value = value + 1 WHERE name = 'generation'`);

  return () => {
    const rows = waiting.all() as Waiting[];
    const [last] = rows.at(-1) ?? [];
    if (last === undefined) return;
    const builder = createBlockBuilder();
    const grouped = [...groupByTerm(rows)];
    for (let from = 0; from < grouped.length; from += TERMS_AT_ONCE) {
      const portion = grouped.slice(from, from + TERMS_AT_ONCE);
      const terms = JSON.stringify(portion.map(([term]) => term));
      let found = lastBlocks.all(terms) as LastBlock[];
      // Nearly always they were registered when the document was written.
      if (found.length < portion.length) {
        addTerms.run(terms);
        found = lastBlocks.all(terms) as LastBlock[];
      }
      for (const [place, id, blockId, block] of found) {
        const [, places] = portion[place] as [string, number[]];
        builder.begin(block);
        for (let at = 0; at < places.length; at += PLACE) {
          const [documentId, data] = rows[places[at] as number] as Waiting;
          builder.add(documentId, data, places[at + 1] as number, places[at + 2] as number);
        }
        const first = blockId ?? id * BLOCKS_PER_TERM;
        builder.finish().forEach((bytes, number) => putBlock.run(first + number, bytes));
      }
    }
    dropFolded.run(last);
    grow.run();
  };
}

type LastBlock = readonly [place: number, termId: number, blockId: number | null, block: Uint8Array | null];
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
