import type { IndexTables } from '@claude-mem/lexical-index';

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

/** The derived tables for search. They are read synchronously, because a search reads thousands of postings. */
export interface SearchTables extends IndexTables {
  /**
   * Returns the superseded ones of these observations, their replacements, and those whose title may contain a
   * number.
   */
  changingObservations(ids: readonly number[]): readonly ObservationHead[];
  /** Returns the labels of these records, in any order. Skips an unreadable list. */
  labelsOf(
    kind: 'observation' | 'summary',
    ids: readonly number[],
  ): readonly { id: number; concepts: readonly string[]; files: readonly string[] }[];
  /** Largest id of a vector. */
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
  /** The existing vectors, which must have one size, concatenated in ascending order of ids. */
  vectorValues(ids: readonly number[]): { ids: readonly number[]; bytes: Uint8Array };
  /** Number of vectors per model. */
  vectorModels(): readonly { model: string; dimensions: number; count: number }[];
  /** Observations whose vectors are not written yet. */
  outboxCount(): number;
}
