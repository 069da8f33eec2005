import { termsIn } from './document-terms.js';
import { BLOCKS_PER_TERM } from './fold-documents.js';
import { countPostings, decodePostings } from './postings.js';
import type { TermRegister } from './term-register.js';
import type { SqlDatabase } from './sql-database.js';

const BLOCKS_AT_ONCE = 500;
const TERMS_AT_ONCE = 20_000;
const DROPPED_AT_ONCE = 2_000;

/**
 * Removes terms without documents from the index. Reads the complete index in steps. The transaction that removes
 * terms checks them again.
 */
export function createDropDeadTerms(
  database: SqlDatabase,
  register: TermRegister,
): () => Generator<void, void, void> {
  const documents = database.prepare('SELECT id FROM search_documents').pluck();
  const unfolded = database.prepare('SELECT terms FROM search_unfolded').pluck();
  const someTerms = database
    .prepare(`SELECT id FROM search_terms WHERE id > ? ORDER BY id LIMIT ${TERMS_AT_ONCE}`)
    .pluck();
  const termOf = database.prepare('SELECT term FROM search_terms WHERE id = ?').pluck();
  const blocks = database
    .prepare(`SELECT id, data FROM search_postings WHERE id > ? ORDER BY id LIMIT ${BLOCKS_AT_ONCE}`)
    .raw();
  const blocksOf = database.prepare('SELECT data FROM search_postings WHERE id >= ? AND id < ?').pluck();
  const dropTerms = database.prepare('DELETE FROM search_terms WHERE id IN (SELECT value FROM json_each(?))');
  const dropBlocks = database.prepare('DELETE FROM search_postings WHERE id >= ? AND id < ?');
  const addToState = database.prepare('UPDATE search_state SET value = value + ? WHERE name = ?');
  const rangeOf = (term: number) => [term * BLOCKS_PER_TERM, (term + 1) * BLOCKS_PER_TERM] as const;

  /** Ids of terms without a live document. */
  function* findCandidates(): Generator<void, readonly number[], void> {
    const living = new Set(documents.all() as number[]);
    yield;
    const alive = new Set<number>();
    for (let after = -1; ;) {
      const rows = blocks.all(after) as [id: number, data: Uint8Array][];
      for (const [id, data] of rows) {
        const term = Math.floor(id / BLOCKS_PER_TERM);
        after = id;
        if (!alive.has(term) && hasLiving(living, data)) alive.add(term);
      }
      yield;
      if (rows.length < BLOCKS_AT_ONCE) break;
    }
    const candidates: number[] = [];
    for (let after = -1; ;) {
      const ids = someTerms.all(after) as number[];
      for (const id of ids) if (!alive.has(id)) candidates.push(id);
      after = ids.at(-1) ?? after;
      yield;
      if (ids.length < TERMS_AT_ONCE) return candidates;
    }
  }

  const drop = database.transaction((candidates: readonly number[]) => {
    const living = new Set(documents.all() as number[]);
    const waiting = new Set((unfolded.all() as Uint8Array[]).flatMap((data) => termsIn(data)));
    const dead: number[] = [];
    let postings = 0;
    for (const id of candidates) {
      const term = termOf.get(id) as string | undefined;
      if (term === undefined || waiting.has(term)) continue;
      const data = blocksOf.all(...rangeOf(id)) as Uint8Array[];
      if (data.some((block) => hasLiving(living, block))) continue;
      dead.push(id);
      postings += countPostings(data);
    }
    if (dead.length === 0) return;
    dropTerms.run(JSON.stringify(dead));
    for (const id of dead) dropBlocks.run(...rangeOf(id));
    addToState.run(-postings, 'postings');
    addToState.run(1, 'generation');
    register.forget();
  });

  return function* () {
    const candidates = yield* findCandidates();
    for (let from = 0; from < candidates.length; from += DROPPED_AT_ONCE) {
      drop.immediate(candidates.slice(from, from + DROPPED_AT_ONCE));
      yield;
    }
  };
}

const hasLiving = (living: ReadonlySet<number>, block: Uint8Array) =>
  decodePostings([block]).documents.some((document) => living.has(document));
