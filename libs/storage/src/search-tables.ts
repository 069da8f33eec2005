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

/** What tells whether an observation and another one say different things of the same matter. */
export interface ObservationHead {
  id: number;
  projectId: number;
  type: string;
  title: string | null;
  /** The first that it modified, else the first that it read. */
  file: string | null;
  supersededBy: number | null;
  createdAtEpoch: number;
}

export interface SearchTablesState {
  /** Changes when documents were folded into the postings, or the index began anew: what was read of postings is stale then. */
  generation: number;
  /** Changes when the index began anew, or old removals were forgotten: everything that was read is stale. */
  epoch: number;
  analysisVersion: number;
  /** Largest document id, removal id and vector id so far. */
  lastDocumentId: number;
  lastRemovalId: number;
  lastVectorId: number;
  /** Records in the index and records there are; equal when it is complete. */
  indexed: number;
  total: number;
}

/**
 * The derived tables that search reads, at once and without a port between: postings are read by the thousand. A document is one
 * record as it was written; a changed record is a new document and the removal of the old one. Documents that are not
 * folded yet carry their own terms; all others are in the postings.
 */
export interface SearchTables {
  /** Runs the work on one state of the database. */
  snapshot<Value>(work: () => Value): Value;
  /** Another number when another connection committed since. */
  dataVersion(): number;
  state(): SearchTablesState;
  /** In ascending order. Removed ones are left out when they were removed before the snapshot. */
  documentsAfter(id: number): IterableIterator<DocumentRow>;
  /** Ids of documents or vectors that were removed, in the order of the removals. */
  removalsAfter(id: number): readonly { id: number; documentId: number | null; vectorId: number | null }[];
  /** Encoded terms (`decodeDocumentTerms`) of documents after this id that are not in the postings yet. */
  unfoldedAfter(id: number): readonly { documentId: number; terms: Uint8Array }[];
  termId(term: string): number | undefined;
  /** Terms that begin so, in order of the term, also of documents that are not folded. */
  termsWithPrefix(prefix: string, limit: number): readonly { id: number; term: string }[];
  /** The blocks of a term in ascending order of documents (`decodePostings`); removed documents may still be in them. */
  postings(termId: number): readonly Uint8Array[];
  /**
   * Ids of the records that FTS5 finds for an expression in its syntax, best first, then the newest. Its words must have been
   * through the analysis (`wordsOf`) and are best quoted. Columns: those of FIELDS; `body` and `files` of summaries;
   * `prompt_text`. Null when the expression is malformed.
   */
  matchSyntax(
    kind: keyof typeof KIND_NUMBERS,
    expression: string,
    limit: number,
  ): readonly { recordId: number; score: number }[] | null;
  /** Of these observations those that were replaced, what replaced them, and those whose title may hold a number. */
  changingObservations(ids: readonly number[]): readonly ObservationHead[];
  /** Of sessions with a larger id, in ascending order; a session keeps its host. */
  sessionHosts(afterId: number): readonly { id: number; host: string }[];
  /** Of these records; in no order. A list that cannot be read is left out. */
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
  /** The vectors of those that are there, which must have one size, one after the other in ascending order of ids. */
  vectorValues(ids: readonly number[]): { ids: readonly number[]; bytes: Uint8Array };
  /** Number of vectors per model. */
  vectorModels(): readonly { model: string; dimensions: number; count: number }[];
  /** Observations whose vectors are not written yet. */
  outboxCount(): number;
}
