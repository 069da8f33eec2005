import { analyzeRecord, type AnalyzedRecord, type IndexableRecord } from '../analysis/analyze-record.js';
import { RECORD_KINDS } from '../documents/record.js';
import { encodeDocumentRow, type DocumentRow } from './document-row.js';
import { isStorableTerm, packDocumentTerms } from './document-terms.js';
import { byteOfLength } from './field-length.js';
import { createFullTextWriter } from './full-text.js';
import type { SqlDatabase } from './sql-database.js';
import type { TermRegister } from './term-register.js';

/** A stored record for the index. */
export type RecordToIndex = IndexableRecord & {
  id: number;
  sessionId: number;
  projectId: number;
  promptNumber: number;
  createdAtEpoch: number;
};

/**
 * Adds records to the index in the transaction that wrote them. A record must not be in the index. Returns the size
 * of their terms in bytes, as a measure of the work.
 */
export type AddRecords = (records: readonly RecordToIndex[]) => number;

export function createAddRecords(database: SqlDatabase, register: TermRegister): AddRecords {
  const lastDocument = database
    .prepare(`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_documents'), 0)`)
    .pluck();
  const insertDocument = database.prepare(
    'INSERT INTO search_documents (id, kind, record_id, data) VALUES (?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO search_unfolded VALUES (?, ?)');
  const fullText = createFullTextWriter(database);

  const add = (records: readonly RecordToIndex[]) => {
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
    // Last and together, because FTS5 flushes its buffer before a statement that fires a trigger.
    records.forEach((record, place) => fullText[record.kind](record.id, analyzed[place] as AnalyzedRecord));
    return bytes;
  };
  return (records) => (records.length === 0 ? 0 : register.work(() => add(records)));
}

function documentRow(id: number, record: RecordToIndex, lengths: Uint8Array): DocumentRow {
  const { projectId, sessionId, promptNumber, createdAtEpoch } = record;
  const type = record.kind === 'observation' ? record.type : null;
  const kind = RECORD_KINDS.indexOf(record.kind);
  return [id, kind, record.id, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths];
}
