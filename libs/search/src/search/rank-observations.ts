import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { ScorePart } from '../memory.js';
import type { RankedSlot } from './ranking.js';
import { scoreSessions } from './score-sessions.js';
import { scoreSignals, type SignalsRequest } from './score-signals.js';

/** Sessions whose matching records are all ranked, however far down words alone put them. */
const WHOLE_SESSIONS = 10;

export interface RankingRequest extends SignalsRequest {
  now: number;
  explain: boolean;
}

/**
 * The best by words, and what vectors, files and the best sessions add to them, by all signals: best first, of equal scores the newer.
 * Each matches a word, a vector or a file itself.
 */
export function rankObservations(reader: LexicalReader, request: RankingRequest): RankedSlot[] {
  const { documents } = reader;
  const { words, within, now, explain } = request;
  const signals = scoreSignals(reader, request);
  const sessions = scoreSessions(reader, { words, within, signals, now });

  const candidates = new Set(words.best.map(({ slot }) => slot));
  for (const slot of signals.extra) candidates.add(slot);
  for (const session of sessions.best(WHOLE_SESSIONS))
    for (const slot of documents.sessionSlots(session))
      if (words.of(slot) > 0 && within.has(slot)) candidates.add(slot);

  const sessionNumbers = documents.session;
  const ofSession = (value: number) =>
    sessions.most > 0 ? (FUSION_WEIGHTS.session * value) / sessions.most : 0;
  const around = (slot: number) => {
    if (signals.isFaint(slot)) return { neighbours: 0, session: 0, recency: 0 };
    const session = sessionNumbers[slot] ?? 0;
    return {
      neighbours: signals.neighbours(slot),
      session: ofSession(sessions.of(session)),
      recency: ofSession(sessions.recency(session)),
    };
  };
  // Both add up in the same order, so that the parts give the score exactly.
  const scoreOf = (slot: number) => {
    const { neighbours, session, recency } = around(slot);
    return signals.own(slot) + neighbours + session + recency;
  };
  const partsOf = (slot: number): ScorePart[] => {
    const { neighbours, session, recency } = around(slot);
    const parts: ScorePart[] = [
      { name: 'lexical', value: signals.lexical(slot) },
      { name: 'semantic', value: signals.semantic(slot) },
      { name: 'files', value: signals.filesTouched(slot) },
      { name: 'neighbours', value: neighbours },
      { name: 'session', value: session },
      { name: 'recency', value: recency },
    ];
    return parts
      .filter(({ value }) => value !== 0)
      .map((part) => {
        const detail = explain ? signals.detail(part.name, slot) : null;
        return detail === null ? part : { ...part, detail };
      });
  };
  return Array.from(candidates, (slot): RankedSlot => ({
    slot,
    score: scoreOf(slot),
    parts: () => partsOf(slot),
  })).sort((a, b) => b.score - a.score || documents.newerFirst(a.slot, b.slot));
}
