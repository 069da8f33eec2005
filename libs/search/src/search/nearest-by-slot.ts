import type { DocumentSet, DocumentTable } from '@claude-mem/lexical-index';
import type { VectorHit } from '../ports/vector-index.js';

export interface Nearest {
  hit: VectorHit;
  /** From 1 for the nearest. */
  place: number;
  /** From 0 for the farthest relevant one to 1 for the nearest. */
  share: number;
}

/** Observations beyond the nearest ones get the same value. */
const MOST = 200;

/** Returns the nearest vector of each matching observation, nearest first. */
export function nearestBySlot(
  documents: DocumentTable,
  within: DocumentSet,
  hits: readonly VectorHit[],
): ReadonlyMap<number, Nearest> {
  const found = new Map<number, VectorHit>();
  for (const hit of hits) {
    const slot = documents.slotOf('observation', hit.observationId);
    if (slot !== undefined && within.has(slot) && !found.has(slot)) found.set(slot, hit);
    if (found.size === MOST) break;
  }
  const scores = Array.from(found.values(), ({ score }) => score);
  const nearest = scores[0] ?? 0;
  const spread = nearest - (scores.at(-1) ?? 0);
  let place = 0;
  return new Map(
    Array.from(found, ([slot, hit]) => {
      const share = spread > 0 ? 1 - (nearest - hit.score) / spread : 1;
      return [slot, { hit, place: (place += 1), share }];
    }),
  );
}
