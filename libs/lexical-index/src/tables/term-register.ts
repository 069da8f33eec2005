import type { SqlDatabase } from './sql-database.js';

/** Knows the ids of terms that were written a moment ago, so that hardly any is looked up twice. */
export interface TermRegister {
  /**
   * Runs a task in the caller's transaction. Clears its cache first when an earlier transaction was rolled back, the index was
   * rebuilt, or another connection wrote.
   */
  work<Value>(task: () => Value): Value;
  /** Ids in the order of the terms; what is new gets one. Null when the table of terms is damaged. */
  idsOf(terms: readonly string[]): Uint32Array | null;
  /** Keeps the ids of a document's terms for the fold. */
  keep(documentId: number, ids: Uint32Array): void;
  /** What was kept; undefined when it is not known any more. */
  kept(documentId: number): Uint32Array | undefined;
  /** All documents up to this were folded. */
  folded(documentId: number): void;
  /** Terms were removed: nothing that was known is. */
  forget(): void;
}

/** So many, and as many before them: what many documents have in common stays, whatever else they say. */
const MOST_RECENT = 32_000;
/** Ids of terms of documents that wait to be folded. */
const MOST_KEPT = 400_000;

export function createTermRegister(database: SqlDatabase): TermRegister {
  const dataVersion = database.prepare('PRAGMA data_version').pluck();
  const value = (name: string) => `coalesce((SELECT value FROM search_state WHERE name = '${name}'), 0)`;
  const position = database
    .prepare(
      `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_documents'), 0),
         ${value('generation')}, ${value('epoch')}`,
    )
    .raw();
  const find = database
    .prepare(
      'SELECT term.term, term.id FROM json_each(?) AS wanted CROSS JOIN search_terms AS term ON term.term = wanted.value',
    )
    .raw();
  const insert = database
    .prepare('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?) RETURNING term, id')
    .raw();
  let recent = new Map<string, number>();
  let earlier = new Map<string, number>();
  const waiting = new Map<number, Uint32Array>();
  let idsWaiting = 0;
  let version = 0;
  let reached: Position = [0, 0, 0];
  let isWorking = false;

  /** Fewer documents or generations than there were: a transaction was rolled back, and with it the ids it gave. */
  const isStale = (now: Position, versionNow: number) =>
    isWorking ||
    versionNow !== version ||
    now[0] < reached[0] ||
    now[1] < reached[1] ||
    now[2] !== reached[2];
  const remember = (term: string, id: number) => {
    if (recent.size >= MOST_RECENT) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(term, id);
  };
  const idOf = (term: string): number | undefined => {
    const id = recent.get(term);
    if (id !== undefined) return id;
    const older = earlier.get(term);
    if (older !== undefined) remember(term, older);
    return older;
  };
  const register = (terms: readonly string[]): ReadonlyMap<string, number> => {
    const found = new Map(find.all(JSON.stringify(terms)) as [string, number][]);
    const missing = JSON.stringify(terms.filter((term) => !found.has(term)));
    if (missing !== '[]')
      for (const [term, id] of insert.all(missing) as [string, number][]) found.set(term, id);
    for (const [term, id] of found) remember(term, id);
    return found;
  };

  const forget = () => {
    recent.clear();
    earlier.clear();
    waiting.clear();
    idsWaiting = 0;
  };

  return {
    forget,
    work(task) {
      const now = position.get() as Position;
      const versionNow = dataVersion.get() as number;
      if (isStale(now, versionNow)) forget();
      version = versionNow;
      reached = now;
      isWorking = true;
      const result = task();
      isWorking = false;
      return result;
    },
    idsOf(terms) {
      const ids = new Uint32Array(terms.length);
      const unknown: number[] = [];
      terms.forEach((term, place) => {
        const id = idOf(term);
        if (id === undefined) unknown.push(place);
        else ids[place] = id;
      });
      if (unknown.length === 0) return ids;
      const found = register([...new Set(unknown.map((place) => terms[place] as string))]);
      for (const place of unknown) {
        const id = found.get(terms[place] as string);
        if (id === undefined) return null;
        ids[place] = id;
      }
      return ids;
    },
    keep(documentId, ids) {
      reached = [documentId, reached[1], reached[2]];
      if (idsWaiting + ids.length > MOST_KEPT) return;
      waiting.set(documentId, ids);
      idsWaiting += ids.length;
    },
    kept: (documentId) => waiting.get(documentId),
    folded(documentId) {
      reached = [reached[0], reached[1] + 1, reached[2]];
      for (const [id, ids] of waiting) {
        if (id > documentId) break;
        waiting.delete(id);
        idsWaiting -= ids.length;
      }
    },
  };
}

type Position = readonly [lastDocumentId: number, generation: number, epoch: number];
