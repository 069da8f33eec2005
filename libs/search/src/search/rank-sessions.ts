import type { LexicalReader } from '@claude-mem/lexical-index';
import type { ScorePart } from '../memory.js';
import { sumOf } from '../fusion/sum-of.js';
import { scoreSessions } from './score-sessions.js';
import { scoreSignals, type SignalsRequest } from './score-signals.js';

/** Maximum number of observations per session. */
const HITS = 5;

interface RankedSession {
  /** Session number of the document table. */
  session: number;
  score: number;
  parts: readonly ScorePart[];
  /** Time of its newest found record. */
  time: number;
}

export interface SessionRanking {
  ranked: readonly RankedSession[];
  /** Matching observations, best first. */
  hitsOf(session: number): readonly number[];
}

/** Ranks complete sessions by all their records together, best first. */
export function rankSessions(
  reader: LexicalReader,
  request: SignalsRequest & { limit: number; now: number },
): SessionRanking {
  const { documents } = reader;
  const { words, within, limit, now } = request;
  const signals = scoreSignals(reader, request);
  const sessions = scoreSessions(reader, { signals, now });
  return {
    // The sum of the displayed parts may differ from the score in the last digit.
    ranked: sessions
      .best(limit)
      .map((session) => {
        const parts = sessions.partsOf(session).filter(({ value }) => value !== 0);
        return { session, parts, score: sumOf(parts), time: sessions.newestAt(session) };
      })
      .sort((a, b) => b.score - a.score),
    hitsOf: (session) =>
      documents
        .sessionSlots(session)
        .filter((slot) => within.has(slot) && documents.kind[slot] === 0)
        .filter((slot) => words.of(slot) > 0 || signals.extra.has(slot))
        .toSorted((a, b) => signals.own(b) - signals.own(a) || documents.newerFirst(a, b))
        .slice(0, HITS)
        .map((slot) => documents.recordId[slot] ?? 0),
  };
}
