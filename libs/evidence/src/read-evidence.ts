import type { ObserverBatch } from '@claude-mem/core';
import { finishInSlices } from './steps.js';
import { evidenceSteps, type TurnEvidence } from './evidence-of.js';

const SLICE_MS = 8;
const oneRound = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface ReadEvidenceOptions {
  /** @default one round of the event loop */
  pause?: () => Promise<void>;
  signal?: AbortSignal;
}

/** `evidenceOf` with a pause every few milliseconds, so that a huge turn does not hold up the process. */
export function readEvidence(
  batch: ObserverBatch,
  { pause = oneRound, signal }: ReadEvidenceOptions = {},
): Promise<TurnEvidence> {
  return finishInSlices(evidenceSteps(batch), { pause, sliceMs: SLICE_MS, signal });
}
