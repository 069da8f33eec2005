import type { ScorePart } from '../memory.js';
import { FUSION_WEIGHTS } from './fusion-weights.js';

/** What speaks for a record, each between 0 and 1. */
export type Signals = Readonly<Record<keyof typeof FUSION_WEIGHTS, number>>;

/** The parts of a score that are not 0, in a fixed order. */
export function fuseSignals(signals: Signals): ScorePart[] {
  return SIGNALS.flatMap((name) => {
    const value = FUSION_WEIGHTS[name] * signals[name];
    return value === 0 ? [] : [{ name, value }];
  });
}

/** The score is this sum and nothing else, so the parts that are shown add up to it exactly. */
export function sumOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

const SIGNALS = Object.keys(FUSION_WEIGHTS) as (keyof typeof FUSION_WEIGHTS)[];
