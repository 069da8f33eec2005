import type { Observation } from '../observation.js';

/** An observation whose vectors are not what they should be. */
export interface OutboxEntry {
  id: number;
  observationId: number;
  /** Null: it was deleted. */
  observation: Observation | null;
  /** How often it failed already. */
  attempts: number;
}

/** What still has to be embedded, and the vectors of the flat index. Filled in the transaction that changes an observation. */
export interface VectorOutbox {
  /**
   * Makes this the index that is kept up: name of the index, place and model in one. Another name than before queues every
   * observation; `withRemoved` also those that were deleted, for an index that may still hold them. Returns how many wait.
   */
  useTarget(name: string, options?: { withRemoved?: boolean }): Promise<{ waiting: number }>;
  /** Entries that are due, those that were queued last first: what is new need not wait for all that is old. */
  next(request: { limit: number; now: number }): Promise<readonly OutboxEntry[]>;
  /** An entry that was queued again meanwhile has a new id and stays. */
  complete(ids: readonly number[]): Promise<void>;
  /** They failed: they are due again then, and count one attempt more. */
  postpone(request: { ids: readonly number[]; availableAt: number; error: string }): Promise<void>;
  /** `waiting` are all entries, `failed` those of them that failed before. */
  counts(): Promise<{ waiting: number; failed: number; nextAvailableAt: number | null }>;
  /** Adds or replaces by document. Vectors of an observation that was deleted meanwhile are left out. */
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
  /** Hashes of what these observations have in the flat table for this model. */
  vectorHashes(request: {
    model: string;
    observationIds: readonly number[];
  }): Promise<readonly { documentId: string; observationId: number; contentHash: string }[]>;
  /** Takes away what any of the given parts names. Returns how many vectors went. */
  removeVectors(request: {
    observationIds?: readonly number[];
    documentIds?: readonly string[];
    otherThanModel?: string;
    all?: true;
  }): Promise<number>;
}
