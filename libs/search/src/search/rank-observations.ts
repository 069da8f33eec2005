import { fileTerms, type QueryTerm } from '@claude-mem/analysis';
import { fuseSignals, sumOf } from '../fusion/fuse-signals.js';
import { NEIGHBOUR_WINDOW } from '../fusion/fusion-weights.js';
import { recencyOf } from '../fusion/recency-of.js';
import type { DocumentSet } from '../documents/document-set.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { ScorePart } from '../memory.js';
import type { VectorHit } from '../ports/vector-index.js';
import { nearestBySlot } from './nearest-by-slot.js';
import type { RankedSlot } from './ranking.js';

export interface RankingRequest {
  terms: readonly QueryTerm[];
  within: DocumentSet;
  contextFiles: readonly string[];
  semantic: readonly VectorHit[];
  /** What was found only by meaning must not be older. */
  semanticFromEpoch: number;
  /** Best by words that are ranked with all signals. */
  pool: number;
  now: number;
  explain: boolean;
}

/** Observations by all signals, best first; of equal scores the newer first, then the one that was written later. */
export function rankObservations(reader: LexicalReader, request: RankingRequest): RankedSlot[] {
  const { within, now, explain } = request;
  const { documents } = reader;
  const words = reader.score({ terms: request.terms });
  const best = words.best({ within, limit: request.pool });
  const top = best[0]?.score ?? 0;
  const meaning = nearestBySlot(documents, request.semantic);
  const files = reader.score({ terms: termsOfFiles(request.contextFiles) });
  const topFiles = files.best({ within, limit: request.pool });
  const mostFiles = topFiles[0]?.score ?? 0;
  const sessions = words.sessions();
  const topSession = sessions.ranked(1)[0]?.sum ?? 0;

  const around = (slot: number) => {
    const { before, after } = documents.neighbours(slot, NEIGHBOUR_WINDOW);
    return [...before, ...after];
  };
  const candidates = new Set(best.map(({ slot }) => slot));
  for (const { slot } of topFiles) candidates.add(slot);
  for (const slot of meaning.keys()) {
    const isOld = (documents.createdAt[slot] ?? 0) < request.semanticFromEpoch;
    if (!isOld || words.of(slot) > 0) candidates.add(slot);
  }

  const share = (value: number, most: number) => (most > 0 ? Math.min(value / most, 1) : 0);
  const rank = (slot: number): RankedSlot => {
    const near = around(slot).reduce((sum, neighbour) => sum + words.of(neighbour), 0);
    const parts = fuseSignals({
      lexical: share(words.of(slot), top),
      semantic: meaning.get(slot)?.share ?? 0,
      files: share(files.of(slot), mostFiles),
      neighbours: share(near, top * 2 * NEIGHBOUR_WINDOW),
      session: share(sessions.sum(documents.session[slot] ?? 0), topSession),
      recency: recencyOf(documents.createdAt[slot] ?? 0, now),
    });
    return { slot, score: sumOf(parts), parts: explain ? parts.map((part) => detailed(part, slot)) : parts };
  };
  const detailed = (part: ScorePart, slot: number): ScorePart => {
    const scored = part.name === 'lexical' ? words : part.name === 'files' ? files : null;
    const detail = scored
      ? scored
          .explain(slot)
          .map(({ term, score }) => `${term} ${score.toFixed(2)}`)
          .join(', ')
      : part.name === 'semantic'
        ? `${meaning.get(slot)?.hit.id} ${meaning.get(slot)?.hit.score.toFixed(2)}`
        : undefined;
    return detail === undefined ? part : { ...part, detail };
  };

  return [...candidates]
    .filter((slot) => within.has(slot))
    .map(rank)
    .sort((a, b) => b.score - a.score || documents.newerFirst(a.slot, b.slot));
}

function termsOfFiles(files: readonly string[]): QueryTerm[] {
  return [...new Set(files.map((file) => fileTerms(file).whole))].map((term) => ({ term, weight: 1 }));
}
