export { decodeDocumentTerms, packDocumentTerms, type DocumentTerm } from './search/document-terms.js';
export { byteOfLength, lengthOfByte } from './search/field-length.js';
export {
  countPostings,
  decodePostings,
  appendPostings,
  type Posting,
  type Postings,
} from './search/postings.js';

/** Numbers of the kinds in the search tables. */
export const KIND_NUMBERS = { observation: 0, summary: 1, prompt: 2 } as const;

/**
 * id, kind, record id, project id, session id, prompt number, created at, type, lengths (one byte per field, see
 * `lengthOfByte`; a view of shared memory).
 */
export type DocumentRow = readonly [
  id: number,
  kind: number,
  recordId: number,
  projectId: number,
  sessionId: number,
  promptNumber: number,
  createdAtEpoch: number,
  type: string | null,
  lengths: Uint8Array,
];

/** The fields that show whether two observations contradict each other. */
export interface ObservationHead {
  id: number;
  projectId: number;
  type: string;
  title: string | null;
  /** The first file that it modified, or else the first that it read. */
  file: string | null;
  supersededBy: number | null;
  createdAtEpoch: number;
}

export interface SearchTablesState {
  /**
   * Changes when documents were moved into the postings or the index was rebuilt. Cached postings are outdated then.
   */
  generation: number;
  /** Changes when the index was rebuilt or old removals were deleted. All cached data is outdated then. */
  epoch: number;
  analysisVersion: number;
  /** Largest document id, removal id and vector id so far. */
  lastDocumentId: number;
  lastRemovalId: number;
  lastVectorId: number;
  /** Number of records in the index, and of all records. Equal when the index is complete. */
  indexed: number;
  total: number;
}

/**
 * The derived tables that search reads synchronously and without a port, because it reads thousands of postings. A
 * document is one version of a record; a changed record is a new document and the removal of the old one. New
 * documents contain their own terms until they are moved into the postings.
 */
export interface SearchTables {
  /** Runs a function on one snapshot of the database. */
  snapshot<Value>(work: () => Value): Value;
  /** Changes when another connection has committed. */
  dataVersion(): number;
  state(): SearchTablesState;
  /** In ascending order. Documents that were removed before the snapshot are skipped. */
  documentsAfter(id: number): IterableIterator<DocumentRow>;
  /** Ids of removed documents or vectors, in the order of the removals. */
  removalsAfter(id: number): readonly { id: number; documentId: number | null; vectorId: number | null }[];
  /** Encoded terms (`decodeDocumentTerms`) of documents after this id that are not in the postings yet. */
  unfoldedAfter(id: number): readonly { documentId: number; terms: Uint8Array }[];
  termId(term: string): number | undefined;
  /** Terms with this prefix, sorted, including those of new documents. */
  termsWithPrefix(prefix: string, limit: number): readonly { id: number; term: string }[];
  /** The blocks of a term in ascending order of documents (`decodePostings`). Blocks may contain removed documents. */
  postings(termId: number): readonly Uint8Array[];
  /**
   * Ids of the records that FTS5 finds for a query in its syntax, best first, then newest first. Its words must be
   * analysed (`wordsOf`) and should be quoted. Columns: those of FIELDS; `body` and `files` of summaries;
   * `prompt_text`. Null for invalid syntax.
   */
  matchSyntax(
    kind: keyof typeof KIND_NUMBERS,
    expression: string,
    limit: number,
  ): readonly { recordId: number; score: number }[] | null;
  /** Of these observations, the superseded ones, their replacements, and those whose title may contain a number. */
  changingObservations(ids: readonly number[]): readonly ObservationHead[];
  /** Sessions with a larger id, in ascending order. The host of a session never changes. */
  sessionHosts(afterId: number): readonly { id: number; host: string }[];
  /** For these records, in any order. An unreadable list is skipped. */
  labelsOf(
    kind: 'observation' | 'summary',
    ids: readonly number[],
  ): readonly { id: number; concepts: readonly string[]; files: readonly string[] }[];
  vectorsAfter(
    id: number,
    model: string,
  ): IterableIterator<
    readonly [id: number, observationId: number, documentId: string, scale: number, vector: Uint8Array]
  >;
  vectorsById(
    ids: readonly number[],
  ): readonly { id: number; documentId: string; observationId: number; scale: number; vector: Uint8Array }[];
  /** The existing vectors, which must have one size, concatenated in ascending order of ids. */
  vectorValues(ids: readonly number[]): { ids: readonly number[]; bytes: Uint8Array };
  /** Number of vectors per model. */
  vectorModels(): readonly { model: string; dimensions: number; count: number }[];
  /** Observations whose vectors are not written yet. */
  outboxCount(): number;
}
