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

  const ofSession = (value: number) =>
    sessions.most > 0 ? (FUSION_WEIGHTS.session * value) / sessions.most : 0;
  const sessionNumbers = documents.session;
  const sessionOf = (slot: number) => sessionNumbers[slot] ?? 0;
  const parts = (slot: number): ScorePart[] =>
    (
      [
        ['lexical', signals.lexical(slot)],
        ['semantic', signals.semantic(slot)],
        ['files', signals.filesTouched(slot)],
        ['neighbours', signals.neighbours(slot)],
        ['session', ofSession(sessions.of(sessionOf(slot)))],
        ['recency', ofSession(sessions.recency(sessionOf(slot)))],
      ] as const
    )
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => {
        const detail = explain ? signals.detail(name, slot) : null;
        return detail === null ? { name, value } : { name, value, detail };
      });
  // In the order of the parts, so that they add up to it exactly.
  const scoreOf = (slot: number) =>
    signals.own(slot) +
    signals.neighbours(slot) +
    ofSession(sessions.of(sessionOf(slot))) +
    ofSession(sessions.recency(sessionOf(slot)));
  return Array.from(candidates, (slot): RankedSlot => ({
    slot,
    score: scoreOf(slot),
    parts: () => parts(slot),
  })).sort((a, b) => b.score - a.score || documents.newerFirst(a.slot, b.slot));
}
