import type { Observation } from '../observation.js';

/** An observation whose vectors are missing or outdated. */
export interface OutboxEntry {
  id: number;
  observationId: number;
  /** Null when the observation was deleted. */
  observation: Observation | null;
  /** Number of failed attempts. */
  attempts: number;
}

/**
 * The observations that need vectors, and the vectors of the flat index. Filled in the transaction that changes an
 * observation.
 */
export interface VectorOutbox {
  /**
   * Sets the current vector index. Its name consists of index, location and model. A new name queues all
   * observations. `withRemoved` also queues deleted observations, because the index may contain their vectors.
   * Returns the number of entries.
   */
  useTarget(name: string, options?: { withRemoved?: boolean }): Promise<{ waiting: number }>;
  /** Lists due entries, newest first, so that new records do not wait for old ones. */
  next(request: { limit: number; now: number }): Promise<readonly OutboxEntry[]>;
  /** Removes entries. An entry that was queued again has a new id and remains. */
  complete(ids: readonly number[]): Promise<void>;
  /** Counts a failed attempt of the entries and postpones them. */
  postpone(request: { ids: readonly number[]; availableAt: number; error: string }): Promise<void>;
  /** `waiting`: number of entries. `failed`: number of entries with a failed attempt. */
  counts(): Promise<{ waiting: number; failed: number; nextAvailableAt: number | null }>;
  /** Adds or replaces vectors by document. Vectors of deleted observations are ignored. */
  putVectors(request: {
    model: string;
    rows: readonly {
      documentId: string;
      observationId: number;
      dimensions: number;
      scale: number;
      contentHash: string;
      vector: Uint8Array;
    }[];
    now: number;
  }): Promise<void>;
  /** Hashes of the stored vectors of these observations for a model. */
  vectorHashes(request: {
    model: string;
    observationIds: readonly number[];
  }): Promise<readonly { documentId: string; observationId: number; contentHash: string }[]>;
  /** Deletes the vectors of all given parts. Returns the number of deleted vectors. */
  removeVectors(request: {
    observationIds?: readonly number[];
    documentIds?: readonly string[];
    otherThanModel?: string;
    all?: true;
  }): Promise<number>;
}
