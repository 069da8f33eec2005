import { FIELDS, analyzeRecord, type AnalyzedRecord, type IndexableRecord } from '@claude-mem/analysis';
import type { Database } from '../database/driver.js';
import { KIND_NUMBERS, type DocumentRow } from '../search-tables.js';
import { encodeDocumentRow } from './document-row.js';
import { encodeDocumentTerms } from './document-terms.js';
import { byteOfLength } from './field-length.js';

/** A stored record as the index takes it. */
export type IndexedRecord = IndexableRecord & {
  id: number;
  sessionId: number;
  projectId: number;
  promptNumber: number;
  createdAtEpoch: number;
};

export interface SearchWriter {
  /**
   * Makes records findable, in the transaction that wrote them. A record must not be in the index. Returns how many bytes their
   * terms take, by which the work can be measured.
   */
  add(records: readonly IndexedRecord[]): number;
}

export function createSearchWriter(database: Database): SearchWriter {
  const state = database
    .prepare(
      `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_documents'), 0), value
       FROM search_state WHERE name = 'epoch'`,
    )
    .raw();
  const insertDocument = database.prepare(
    'INSERT INTO search_documents (id, kind, record_id, data) VALUES (?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO search_unfolded VALUES (?, ?)');
  const registerTerms = createTermRegister(database);
  const fullText = createFullTextWriter(database);

  return {
    add(records) {
      if (records.length === 0) return 0;
      const [lastId, epoch] = (state.get() ?? [0, 0]) as [number, number];
      let id = lastId;
      let bytes = 0;
      const terms = new Set<string>();
      const analyzed = records.map(analyzeRecord);
      records.forEach((record, place) => {
        const { lengths, terms: own } = analyzed[place] as AnalyzedRecord;
        id += 1;
        const row = documentRow(id, record, Uint8Array.from(lengths, byteOfLength));
        insertDocument.run(id, row[1], record.id, encodeDocumentRow(row));
        const encoded = encodeDocumentTerms(own);
        insertTerms.run(id, encoded);
        bytes += encoded.length;
        for (const term of own.keys()) terms.add(term);
      });
      registerTerms(terms, { epoch, before: lastId, after: id });
      // Last, and all together: before a statement that fires a trigger FTS5 writes out what it has gathered.
      records.forEach((record, place) => fullText[record.kind](record.id, analyzed[place] as AnalyzedRecord));
      return bytes;
    },
  };
}

function documentRow(id: number, record: IndexedRecord, lengths: Uint8Array): DocumentRow {
  const { projectId, sessionId, promptNumber, createdAtEpoch } = record;
  const type = record.kind === 'observation' ? record.type : null;
  const kind = KIND_NUMBERS[record.kind];
  return [id, kind, record.id, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths];
}

const MOST_KNOWN_TERMS = 20_000;

/** Gives terms their ids before they are in the postings. Most terms of a record were seen a moment ago, and are passed over. */
function createTermRegister(database: Database) {
  const insert = database.prepare('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)');
  const known = new Set<string>();
  let knownEpoch = 0;
  let lastDocument = 0;
  return (terms: ReadonlySet<string>, at: { epoch: number; before: number; after: number }) => {
    // A document that is not there any more was rolled back, and perhaps terms with it.
    if (at.epoch !== knownEpoch || at.before < lastDocument || known.size > MOST_KNOWN_TERMS) known.clear();
    knownEpoch = at.epoch;
    lastDocument = at.after;
    const unknown = [...terms].filter((term) => !known.has(term));
    if (unknown.length > 0) insert.run(JSON.stringify(unknown));
    for (const term of unknown) known.add(term);
  };
}

/** FTS5 gets the words of the analysis, so that its syntax finds what every other search finds. */
function createFullTextWriter(database: Database) {
  const observation = database.prepare(
    `INSERT INTO observations_fts (rowid, ${FIELDS.join(', ')}) VALUES (?${', ?'.repeat(FIELDS.length)})`,
  );
  const summary = database.prepare('INSERT INTO session_summaries_fts (rowid, body, files) VALUES (?, ?, ?)');
  const prompt = database.prepare('INSERT INTO user_prompts_fts (rowid, prompt_text) VALUES (?, ?)');
  type Add = (id: number, analyzed: AnalyzedRecord) => void;
  return {
    observation: (id, { words }) =>
      void observation.run(id, ...FIELDS.map((field) => words[field].join(' '))),
    summary: (id, { words }) =>
      void summary.run(id, [...words.title, ...words.narrative].join(' '), words.files.join(' ')),
    prompt: (id, { words }) => void prompt.run(id, words.narrative.join(' ')),
  } satisfies Record<IndexedRecord['kind'], Add>;
}

/** Merges segments that many small writes left behind. */
export function mergeFullText(database: Database, pages: number): void {
  for (const table of FULL_TEXT_TABLES)
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
}

export const FULL_TEXT_TABLES = ['observations_fts', 'session_summaries_fts', 'user_prompts_fts'] as const;
