import type { HostName } from '@claude-mem/core';

export const RECORD_KINDS = ['observation', 'summary', 'prompt'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What must hold for a record to be found; lists mean "one of", and all parts must hold. Bounds are inclusive. */
export interface RecordFilter {
  kinds?: readonly RecordKind[];
  projectIds?: readonly number[];
  sessionIds?: readonly number[];
  hosts?: readonly HostName[];
  types?: readonly string[];
  concepts?: readonly string[];
  /** Paths: a whole path, the end of one (`api/router.ts`, `router.ts`), or a folder (`src/api/`). */
  files?: readonly string[];
  fromEpoch?: number;
  toEpoch?: number;
}

/** A record in the index, and where it stands among others. */
export interface IndexedRecord {
  kind: RecordKind;
  recordId: number;
  projectId: number;
  sessionId: number;
  promptNumber: number;
  /** Null for what has no type. */
  type: string | null;
  createdAtEpoch: number;
}

/** How far the index is; `indexed` of `total` records can be found. */
export interface LexicalState {
  isComplete: boolean;
  indexed: number;
  total: number;
}
