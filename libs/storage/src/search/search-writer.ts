import { FIELDS, analyzeRecord, type AnalyzedRecord, type IndexableRecord } from '@claude-mem/analysis';
import type { Database } from '../database/driver.js';
import { KIND_NUMBERS, type DocumentRow } from '../search-tables.js';
import { encodeDocumentRow } from './document-row.js';
import { isStorableTerm, packDocumentTerms } from './document-terms.js';
import { byteOfLength } from './field-length.js';
import type { TermRegister } from './term-register.js';

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

export function createSearchWriter(database: Database, register: TermRegister): SearchWriter {
  const lastDocument = database
    .prepare(`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_documents'), 0)`)
    .pluck();
  const insertDocument = database.prepare(
    'INSERT INTO search_documents (id, kind, record_id, data) VALUES (?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO search_unfolded VALUES (?, ?)');
  const fullText = createFullTextWriter(database);

  const add = (records: readonly IndexedRecord[]) => {
    const lastId = lastDocument.get() as number;
    const analyzed = records.map(analyzeRecord);
    const terms: string[] = [];
    for (const one of analyzed)
      for (const term of one.terms.keys()) if (isStorableTerm(term)) terms.push(term);
    const ids = register.idsOf(terms);
    let bytes = 0;
    let from = 0;
    records.forEach((record, place) => {
      const { lengths, terms: counted } = analyzed[place] as AnalyzedRecord;
      const id = lastId + 1 + place;
      const row = documentRow(id, record, Uint8Array.from(lengths, byteOfLength));
      insertDocument.run(id, row[1], record.id, encodeDocumentRow(row));
      const encoded = packDocumentTerms(counted);
      insertTerms.run(id, encoded.data);
      bytes += encoded.data.length;
      if (ids !== null) register.keep(id, ids.subarray(from, (from += encoded.count)));
    });
    // Last, and all together: before a statement that fires a trigger FTS5 writes out what it has gathered.
    records.forEach((record, place) => fullText[record.kind](record.id, analyzed[place] as AnalyzedRecord));
    return bytes;
  };
  return { add: (records) => (records.length === 0 ? 0 : register.work(() => add(records))) };
}

function documentRow(id: number, record: IndexedRecord, lengths: Uint8Array): DocumentRow {
  const { projectId, sessionId, promptNumber, createdAtEpoch } = record;
  const type = record.kind === 'observation' ? record.type : null;
  const kind = KIND_NUMBERS[record.kind];
  return [id, kind, record.id, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths];
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

/** Else a delete now and then merges a large part of an index in its own turn. What forgets merges all in steps afterwards. */
export function mergeNothingOnDelete(database: Database): void {
  for (const table of FULL_TEXT_TABLES) {
    const setting = database.prepare(`SELECT v FROM ${table}_config WHERE k = 'deletemerge'`).pluck();
    if (setting.get() === 0) continue;
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('deletemerge', 0)`).run();
  }
}

/** Merges segments that many small writes left behind. */
export function mergeFullText(database: Database, pages: number): void {
  for (const table of FULL_TEXT_TABLES)
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
}

/** Merges all segments into one, in which what was deleted is not any more. A step is a few milliseconds' work. */
export function* fullTextMergeSteps(database: Database): Generator<void, void, void> {
  const total = database.prepare('SELECT total_changes()').pluck();
  for (const table of FULL_TEXT_TABLES) {
    const merge = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
    // A negative number marks every segment there is for merging; then as long as it finds something to do.
    for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
      const before = total.get() as number;
      merge.run(pages);
      if ((total.get() as number) - before < 2) break;
      yield;
    }
  }
}

const MERGED_PAGES = 64;

export const FULL_TEXT_TABLES = ['observations_fts', 'session_summaries_fts', 'user_prompts_fts'] as const;
