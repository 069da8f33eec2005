import { analyzeRecord, type IndexableRecord } from '../analysis/analyze-record.js';
import type { HostName } from '@claude-mem/core';
import type { DocumentRow } from '../tables/document-row.js';
import { packDocumentTerms } from '../tables/document-terms.js';
import { byteOfLength } from '../tables/field-length.js';
import type { IndexTables } from '../tables/index-reader.js';
import { appendPostings, type Posting } from '../tables/postings.js';
import { RECORD_KINDS } from '../documents/record.js';

export interface WrittenRecord {
  recordId: number;
  projectId?: number;
  sessionId?: number;
  promptNumber?: number;
  createdAtEpoch?: number;
  record: IndexableRecord;
}

export interface TablesInMemory extends IndexTables {
  /** Writes a record, again if it is there. Returns the document's id. */
  write(record: WrittenRecord): number;
  remove(kind: IndexableRecord['kind'], recordId: number): void;
  /** Moves all terms that wait into the postings. */
  fold(): void;
  /** Begins the index anew, with other document ids. */
  rebuild(): void;
  /** How often postings of a term were read. */
  readonly postingsRead: number;
}

/** The search tables without a database, made with the same analysis and the same encoding. */
export function createTablesInMemory(): TablesInMemory {
  const records = new Map<string, { id: number; row: DocumentRow; written: WrittenRecord }>();
  const removals: { id: number; documentId: number; vectorId: null }[] = [];
  const unfolded = new Map<number, ReadonlyMap<string, readonly number[]>>();
  const postings = new Map<string, Posting[]>();
  const terms = new Set<string>();
  let lastDocumentId = 0;
  let version = 1;
  let generation = 0;
  let epoch = 0;
  let postingsRead = 0;

  const keyOf = (kind: string, recordId: number) => `${kind} ${recordId}`;
  const tables: TablesInMemory = {
    get postingsRead() {
      return postingsRead;
    },
    write(written) {
      const { record, recordId } = written;
      tables.remove(record.kind, recordId);
      const analyzed = analyzeRecord(record);
      const id = ++lastDocumentId;
      for (const term of analyzed.terms.keys()) terms.add(term);
      unfolded.set(id, analyzed.terms);
      const row: DocumentRow = [
        id,
        RECORD_KINDS.indexOf(record.kind),
        recordId,
        written.projectId ?? 1,
        written.sessionId ?? 1,
        written.promptNumber ?? 1,
        written.createdAtEpoch ?? id,
        record.kind === 'observation' ? record.type : null,
        Uint8Array.from(analyzed.lengths, byteOfLength),
      ];
      records.set(keyOf(record.kind, recordId), { id, row, written });
      version += 1;
      return id;
    },
    remove(kind, recordId) {
      const known = records.get(keyOf(kind, recordId));
      if (!known) return;
      records.delete(keyOf(kind, recordId));
      unfolded.delete(known.id);
      removals.push({ id: removals.length + 1, documentId: known.id, vectorId: null });
      version += 1;
    },
    fold() {
      for (const [documentId, counted] of unfolded)
        for (const [term, counts] of counted) {
          const list = postings.get(term) ?? [];
          postings.set(term, list);
          list.push({ documentId, counts: counts.map((count) => Math.min(count, 255)) });
        }
      unfolded.clear();
      generation += 1;
      version += 1;
    },
    rebuild() {
      const all = [...records.values()].map(({ written }) => written);
      records.clear();
      postings.clear();
      unfolded.clear();
      epoch += 1;
      generation += 1;
      lastDocumentId += 7;
      for (const written of all.reverse()) tables.write(written);
    },
    snapshot: (work) => work(),
    dataVersion: () => version,
    state: () => ({
      generation,
      epoch,
      lastDocumentId,
      lastRemovalId: removals.length,
      indexed: records.size,
      total: records.size,
    }),
    *documentsAfter(id) {
      const rows = [...records.values()].map(({ row }) => row).filter((row) => row[0] > id);
      yield* rows.sort((left, right) => left[0] - right[0]);
    },
    removalsAfter: (id) => removals.slice(id),
    unfoldedAfter: (id) =>
      [...unfolded]
        .filter(([documentId]) => documentId > id)
        .map(([documentId, counted]) => ({ documentId, terms: packDocumentTerms(counted).data })),
    termsWithPrefix: (prefix, limit) =>
      [...terms]
        .filter((term) => term.startsWith(prefix))
        .sort()
        .slice(0, limit),
    postings(term) {
      postingsRead += 1;
      return appendPostings(null, postings.get(term) ?? []);
    },
    matchSyntax: () => null,
    sessionHosts: (afterId) => {
      const ids = new Set([...records.values()].map(({ row }) => row[4]).filter((id) => id > afterId));
      return [...ids].sort((left, right) => left - right).map((id) => ({ id, host: hostOfSession(id) }));
    },
  };
  return tables;
}

/** The hosts of sessions take turns. */
export const hostOfSession = (sessionId: number): HostName =>
  (['claude-code', 'cursor', 'codex'] as const)[sessionId % 3] ?? 'claude-code';

/** An observation with nothing but what is given. */
export function observationOf(fields: Partial<Extract<IndexableRecord, { kind: 'observation' }>>) {
  return {
    kind: 'observation',
    type: 'discovery',
    title: null,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    ...fields,
  } as Extract<IndexableRecord, { kind: 'observation' }>;
}
