import type { QueryTerm } from '@claude-mem/analysis';
import type { DocumentSet } from '../documents/document-set.js';
import { sumOf } from '../fusion/sum-of.js';
import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { ScorePart } from '../memory.js';
import type { RankedSlot } from './ranking.js';
import { scoreSessions, wholeSessions } from './score-sessions.js';
import { scoreSignals, type SignalsRequest } from './score-signals.js';

/** Sessions whose matching records are all ranked, however far down words alone put them. */
const WHOLE_SESSIONS = 10;

export interface RankingRequest extends Omit<SignalsRequest, 'words'> {
  terms: readonly QueryTerm[];
  within: DocumentSet;
  /** Best by words that are ranked with all signals. */
  pool: number;
  now: number;
  explain: boolean;
}

/** Observations by all signals, best first; of equal scores the newer first. Each matches a word, a vector or a file itself. */
export function rankObservations(reader: LexicalReader, request: RankingRequest): RankedSlot[] {
  const { documents } = reader;
  const { within, pool, now, explain } = request;
  const words = reader.score({ terms: request.terms });
  const signals = scoreSignals(reader, { ...request, words });
  const asOne = wholeSessions(reader, words);
  const sessions = scoreSessions(reader, { words, within, signals, asOne, now });

  const candidates = new Set(words.best({ within, limit: pool }).map(({ slot }) => slot));
  for (const slot of signals.extra) candidates.add(slot);
  for (const session of sessions.best(WHOLE_SESSIONS))
    for (const slot of documents.sessionSlots(session))
      if (words.of(slot) > 0 && within.has(slot)) candidates.add(slot);

  const partsOf = (slot: number): ScorePart[] => {
    const session = documents.session[slot] ?? 0;
    const parts: ScorePart[] = [
      { name: 'lexical', value: signals.lexical(slot) },
      { name: 'semantic', value: signals.semantic(slot) },
      { name: 'files', value: signals.filesTouched(slot) },
      { name: 'neighbours', value: signals.neighbours(slot) },
      { name: 'session', value: (FUSION_WEIGHTS.session * sessions.of(session)) / sessions.most },
    ];
    return parts.filter(({ value }) => value !== 0);
  };
  const detailed = (part: ScorePart, slot: number): ScorePart => {
    const detail = signals.detail(part.name, slot);
    return detail === null ? part : { ...part, detail };
  };
  return Array.from(candidates, (slot): RankedSlot => {
    const parts = partsOf(slot);
    return { slot, score: sumOf(parts), parts: explain ? parts.map((part) => detailed(part, slot)) : parts };
  }).sort((a, b) => b.score - a.score || documents.newerFirst(a.slot, b.slot));
}
