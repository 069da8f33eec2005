/** Turns text into vectors. */
export interface Embedder extends AsyncDisposable {
  /** Name and version of the model; vectors of two different names are never compared. */
  readonly model: string;
  /**
   * One vector of length 1 per text, in order; all have the same number of dimensions. A text without anything that the model knows
   * gives a vector of zeros, and a query of zeros finds by words alone. Texts longer than the model reads are cut.
   * @throws SearchError `search/embedder-unavailable`, or the reason of the signal
   */
  embed(
    texts: readonly string[],
    options: {
      /** Some models embed what is searched for and what is searched in differently. */
      for: 'query' | 'document';
      signal?: AbortSignal;
    },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
