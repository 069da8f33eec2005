import type { IndexTables } from '@claude-mem/lexical-index';

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

/** The derived tables that search reads, synchronously and without a port between: postings are read by the thousand. */
export interface SearchTables extends IndexTables {
  /** Of these observations those that were replaced, what replaced them, and those whose title may hold a number. */
  changingObservations(ids: readonly number[]): readonly ObservationHead[];
  /** Of these records; in no order. A list that cannot be read is left out. */
  labelsOf(
    kind: 'observation' | 'summary',
    ids: readonly number[],
  ): readonly { id: number; concepts: readonly string[]; files: readonly string[] }[];
  /** Largest vector id so far. */
  lastVectorId(): number;
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
