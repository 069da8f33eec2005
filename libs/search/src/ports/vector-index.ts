import type { HostName } from '@claude-mem/core';

/** A short text with its vector: the narrative or one fact of an observation. */
export interface VectorDocument {
  /** `obs_{id}_narrative` or `obs_{id}_fact_{n}`, with n from 0. */
  id: string;
  /** Vector of length 1. A zero vector is not stored and removes the stored vector of the id. */
  vector: Float32Array;
  /** Hash of the text, so that an unchanged text is not embedded again. */
  contentHash: string;
  metadata: VectorMetadata;
}

export interface VectorMetadata {
  observationId: number;
  projectId: number;
  type: string;
  createdAtEpoch: number;
}

/**
 * The conditions that an index checks itself. Others are checked afterwards, including sessions and hosts that the
 * index does not know. Bounds are inclusive.
 */
export interface VectorFilter {
  projectIds?: readonly number[];
  sessionIds?: readonly number[];
  hosts?: readonly HostName[];
  types?: readonly string[];
  fromEpoch?: number;
  toEpoch?: number;
}

export interface VectorHit {
  id: string;
  observationId: number;
  /** Cosine of the angle between query and document, -1 to 1. */
  score: number;
}

/** Vectors of one model, by document id. */
export interface VectorIndex extends AsyncDisposable {
  /** Name for messages and health. `flat` is the index in the database. */
  readonly name: string;
  /**
   * Adds or replaces documents. The last of several documents with the same id is stored.
   * @throws SearchError `search/vector-index-unavailable`
   */
  upsert(documents: readonly VectorDocument[]): Promise<void>;
  /** Removes all documents of these observations. Unknown ids are ignored. */
  remove(observationIds: readonly number[]): Promise<void>;
  /**
   * Returns the nearest documents, best first; for equal scores newer observations first, then by id. A vector of
   * another size than the stored ones, or a zero vector, returns none.
   * @throws SearchError `search/vector-index-unavailable`
   */
  nearest(request: {
    vector: Float32Array;
    limit: number;
    filter?: VectorFilter;
    signal?: AbortSignal;
  }): Promise<readonly VectorHit[]>;
  /** Returns the stored hashes of these observations. Only for indexes with `removeDocuments`. */
  hashes?(
    observationIds: readonly number[],
  ): Promise<readonly { id: string; observationId: number; contentHash: string }[]>;
  /** Removes single documents. Unknown ids are ignored. */
  removeDocuments?(ids: readonly string[]): Promise<void>;
  /** Number of documents. */
  count(): Promise<number>;
  /** Removes all documents. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
