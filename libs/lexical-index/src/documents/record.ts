import type { HostName } from '@claude-mem/core';

/** The index of a kind in this list is its number in the tables. */
export const RECORD_KINDS = ['observation', 'summary', 'prompt'] as const;
/** Kind of a record in the index. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Conditions for records. Values of a list mean "one of". All conditions must match. Bounds are inclusive. */
export interface RecordFilter {
  kinds?: readonly RecordKind[];
  projectIds?: readonly number[];
  sessionIds?: readonly number[];
  hosts?: readonly HostName[];
  types?: readonly string[];
  concepts?: readonly string[];
  /** Complete paths, ends of paths (`api/router.ts`, `router.ts`), or folders (`src/api/`). */
  files?: readonly string[];
  fromEpoch?: number;
  toEpoch?: number;
}

/** Progress of the index: `indexed` of `total` records can be found. */
export interface IndexState {
  indexed: number;
  total: number;
}
