import type { ScorePart } from '../memory.js';

/** Adds the parts of a score in order, so that the displayed parts sum up exactly. */
export function sumOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}
