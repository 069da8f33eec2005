import type { ImportedObservation } from '@claude-mem/core';

export declare const NEWEST_EPOCH: number;
export declare function syntheticMemory(
  count: number,
  seed?: number,
): Generator<ImportedObservation & { project: string; session: string }>;
