import { FIELDS, analyzeRecord, type AnalyzedRecord, type IndexableRecord } from '@claude-mem/analysis';
import type { Database } from '../database/driver.js';
import { KIND_NUMBERS } from '../search-tables.js';
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
  /** Makes records findable, in the transaction that wrote them. A record must not be in the index. */
  add(records: readonly IndexedRecord[]): void;
}

export function createSearchWriter(database: Database): SearchWriter {
  const lastDocumentId = database
    .prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'search_documents'`)
    .pluck();
  const insertDocument = database.prepare(
    'INSERT INTO search_documents (id, kind, record_id, data) VALUES (?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO search_unfolded VALUES (?, ?)');
  const registerTerms = database.prepare(
    'INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)',
  );
  const fullText = createFullTextWriter(database);

  return {
    add(records) {
      if (records.length === 0) return;
      let id = (lastDocumentId.get() as number | undefined) ?? 0;
      const terms = new Set<string>();
      for (const record of records) {
        id += 1;
        const kind = KIND_NUMBERS[record.kind];
        const analyzed = analyzeRecord(record);
        const lengths = Uint8Array.from(analyzed.lengths, byteOfLength);
        const { sessionId, projectId, promptNumber, createdAtEpoch } = record;
        const type = record.kind === 'observation' ? record.type : null;
        const place = [projectId, sessionId, promptNumber, createdAtEpoch] as const;
        insertDocument.run(
          id,
          kind,
          record.id,
          encodeDocumentRow([id, kind, record.id, ...place, type, lengths]),
        );
        insertTerms.run(id, encodeDocumentTerms(analyzed.terms));
        fullText[record.kind](record.id, analyzed);
        for (const term of analyzed.terms.keys()) terms.add(term);
      }
      registerTerms.run(JSON.stringify([...terms]));
    },
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

/** @internal */
export const FULL_TEXT_TABLES = ['observations_fts', 'session_summaries_fts', 'user_prompts_fts'] as const;
