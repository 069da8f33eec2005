import type { ImportedObservation } from '@claude-mem/core';

export declare const NEWEST_EPOCH: number;
export declare function madeUpMemory(
  count: number,
  seed?: number,
): Generator<ImportedObservation & { project: string; session: string }>;
