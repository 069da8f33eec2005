import type { RowIds } from './row-ids.js';

/** The vectors of one model and size, as far as they are held in memory. */
export interface LoadedRows {
  readonly ids: RowIds;
  append(vector: {
    id: number;
    observationId: number;
    documentId: string;
    scale: number;
    values: Uint8Array;
  }): void;
  /** Gives the room of removed rows back. */
  compact(): void;
  /** Best first. A row passes when the mask has 1 at its observation; null: all do. */
  nearest(request: {
    query: { values: Int16Array; scale: number };
    limit: number;
    mask: Uint8Array | null;
  }): readonly { row: number; score: number }[];
}
