import type { ObserverBatch } from '@claude-mem/core';
import { runWithPauses, type SliceOptions } from './steps.js';
import { evidenceSteps, type TurnEvidence } from './collect-evidence.js';

/**
 * Collects the evidence of a batch like `collectEvidence`, and yields to the event loop every few milliseconds.
 * @throws the reason of the signal when it is aborted
 */
export function readEvidence(batch: ObserverBatch, options?: SliceOptions): Promise<TurnEvidence> {
  return runWithPauses(evidenceSteps(batch), options);
}
