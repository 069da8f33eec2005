import type { VectorHit } from './ports/vector-index.js';

/** Sorts by score, then newer observations first, then by id. */
export function compareVectorHits(left: VectorHit, right: VectorHit): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.observationId !== right.observationId) return right.observationId - left.observationId;
  return left.id < right.id ? -1 : 1;
}
