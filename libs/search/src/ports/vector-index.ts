import type { HostName } from '@claude-mem/core';

/** A small text with a vector: the narrative or one fact of an observation. */
export interface VectorDocument {
  /** `obs_{id}_narrative` or `obs_{id}_fact_{n}`, n from 0. */
  id: string;
  /** Of length 1. One of zeros is not kept, and takes away what its id had. */
  vector: Float32Array;
  /** Digest of the text, so that what did not change is not embedded again. */
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
 * What an index filters by itself; the rest is checked afterwards, and so are sessions and hosts where it does not know them. Bounds
 * are inclusive.
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
  /** For messages and health; `flat` is the one whose vectors are in the database. */
  readonly name: string;
  /**
   * Adds or replaces. The last of several documents with one id wins.
   * @throws SearchError `search/vector-index-unavailable`
   */
  upsert(documents: readonly VectorDocument[]): Promise<void>;
  /** Takes away every document of these observations; unknown ones are passed over. */
  remove(observationIds: readonly number[]): Promise<void>;
  /**
   * The documents nearest to the query, best first; equal scores: the newer observation, then by id. A vector of another size than
   * the stored ones, or without a direction, gives none.
   * @throws SearchError `search/vector-index-unavailable`
   */
  nearest(request: {
    vector: Float32Array;
    limit: number;
    filter?: VectorFilter;
    signal?: AbortSignal;
  }): Promise<readonly VectorHit[]>;
  /** Digests of what is stored of these observations. Only where the index can tell; then `removeDocuments` is there too. */
  hashes?(
    observationIds: readonly number[],
  ): Promise<readonly { id: string; observationId: number; contentHash: string }[]>;
  /** Takes away single documents; unknown ones are passed over. */
  removeDocuments?(ids: readonly string[]): Promise<void>;
  /** Number of documents that can be found. */
  count(): Promise<number>;
  /** Takes away all documents. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
