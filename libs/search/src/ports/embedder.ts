/** Computes vectors of texts. */
export interface Embedder extends AsyncDisposable {
  /** Name and version of the model. Vectors of different names are never compared. */
  readonly model: string;
  /**
   * Returns one vector of length 1 per text, in order and of the same size. Unknown text returns zeros, and a query
   * of zeros searches lexically only. Texts that are too long for the model are cut.
   * @throws SearchError `search/embedder-unavailable`, or the reason of the signal
   */
  embed(
    texts: readonly string[],
    options: {
      /** Some models embed queries and documents differently. */
      for: 'query' | 'document';
      signal?: AbortSignal;
    },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
