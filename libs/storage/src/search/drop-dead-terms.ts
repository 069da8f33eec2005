import type { Database } from '../database/driver.js';
import { termsIn } from './document-terms.js';
import { BLOCKS_PER_TERM } from './fold-documents.js';
import { countPostings, decodePostings } from './postings.js';
import type { TermRegister } from './term-register.js';

const BLOCKS_AT_ONCE = 2_000;

/** Takes terms out of the index that no document has any more. Reads all of the index. The caller holds the transaction. */
export function createDropDeadTerms(database: Database, register: TermRegister): () => void {
  const documents = database.prepare('SELECT id FROM search_documents').pluck();
  const unfolded = database.prepare('SELECT terms FROM search_unfolded').pluck();
  const terms = database.prepare('SELECT id, term FROM search_terms').raw();
  const blocks = database
    .prepare(`SELECT id, data FROM search_postings WHERE id > ? ORDER BY id LIMIT ${BLOCKS_AT_ONCE}`)
    .raw();
  const dropTerms = database.prepare('DELETE FROM search_terms WHERE id IN (SELECT value FROM json_each(?))');
  const dropBlocks = database.prepare('DELETE FROM search_postings WHERE id >= ? AND id < ?');
  const addToState = database.prepare('UPDATE search_state SET value = value + ? WHERE name = ?');

  const livingByPostings = () => {
    const living = new Set(documents.all() as number[]);
    const alive = new Set<number>();
    const counts = new Map<number, number>();
    for (let after = -1; ;) {
      const rows = blocks.all(after) as [id: number, data: Uint8Array][];
      for (const [id, data] of rows) {
        const term = Math.floor(id / BLOCKS_PER_TERM);
        after = id;
        if (alive.has(term)) continue;
        counts.set(term, (counts.get(term) ?? 0) + countPostings([data]));
        if (decodePostings([data]).documents.some((document) => living.has(document))) alive.add(term);
      }
      if (rows.length < BLOCKS_AT_ONCE) return { alive, counts };
    }
  };

  return () => {
    const waiting = new Set((unfolded.all() as Uint8Array[]).flatMap((data) => termsIn(data)));
    const { alive, counts } = livingByPostings();
    const dead = (terms.all() as [id: number, term: string][])
      .filter(([id, term]) => !alive.has(id) && !waiting.has(term))
      .map(([id]) => id);
    if (dead.length === 0) return;
    dropTerms.run(JSON.stringify(dead));
    for (const id of dead) dropBlocks.run(id * BLOCKS_PER_TERM, (id + 1) * BLOCKS_PER_TERM);
    addToState.run(-dead.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0), 'postings');
    addToState.run(1, 'generation');
    register.forget();
  };
}
