/** What the flat index writes through; `VectorOutbox` of the storage is one. */
export interface FlatVectorWriter {
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
  removeVectors(request: {
    observationIds?: readonly number[];
    documentIds?: readonly string[];
    all?: true;
  }): Promise<unknown>;
}
