import type { ScorePart } from '../memory.js';

/** A score is this sum and nothing else, so the parts that are shown add up to it exactly. */
export function sumOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}
