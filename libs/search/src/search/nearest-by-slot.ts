import type { DocumentTable } from '../documents/document-table.js';
import type { VectorHit } from '../ports/vector-index.js';

export interface Nearest {
  hit: VectorHit;
  /** From 0 for the farthest that was found to 1 for the nearest. */
  share: number;
}

/** Of each observation the nearest of its vectors; what is gone since is left out. */
export function nearestBySlot(
  documents: DocumentTable,
  hits: readonly VectorHit[],
): ReadonlyMap<number, Nearest> {
  const found = new Map<number, Nearest>();
  const nearest = hits[0]?.score ?? 0;
  const spread = nearest - (hits.at(-1)?.score ?? 0);
  for (const hit of hits) {
    const slot = documents.slotOf('observation', hit.observationId);
    if (slot === undefined || found.has(slot)) continue;
    found.set(slot, { hit, share: spread > 0 ? 1 - (nearest - hit.score) / spread : 1 });
  }
  return found;
}
