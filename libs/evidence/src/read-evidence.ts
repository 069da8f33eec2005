import type { ObserverBatch } from '@claude-mem/core';
import { finishInSlices, type SliceOptions } from './steps.js';
import { evidenceSteps, type TurnEvidence } from './evidence-of.js';

/** `evidenceOf` with a pause every few milliseconds, so that a huge turn does not block the process. */
export function readEvidence(batch: ObserverBatch, options?: SliceOptions): Promise<TurnEvidence> {
  return finishInSlices(evidenceSteps(batch), options);
}
