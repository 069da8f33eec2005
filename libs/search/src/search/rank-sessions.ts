import type { DocumentSet } from '../documents/document-set.js';
import { sumOf } from '../fusion/fuse-signals.js';
import { SESSION_WEIGHTS } from '../fusion/fusion-weights.js';
import { recencyOf } from '../fusion/recency-of.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { TermScores } from '../lexical/score-terms.js';
import type { ScorePart } from '../memory.js';
import type { VectorHit } from '../ports/vector-index.js';
import { nearestBySlot } from './nearest-by-slot.js';

/** Observations that are shown of a session. */
const HITS = 5;

/** What matched by words and how well; 0 for what did not. */
export type MatchedWords = Pick<TermScores, 'of' | 'forEach'>;

export interface RankedSession {
  /** The number that the documents give it. */
  session: number;
  score: number;
  parts: readonly ScorePart[];
  /** Time of the newest record that was found of it. */
  newestAt: number;
}

export interface SessionRanking {
  /** Best first; of equal scores the one with the newer record that was found. */
  ranked: readonly RankedSession[];
  /** Observations that a session was found by, best first. */
  hitsOf(session: number): readonly number[];
}

/** Whole sessions by all of their records together. */
export function rankSessions(
  reader: LexicalReader,
  request: {
    words: MatchedWords;
    within: DocumentSet;
    semantic: readonly VectorHit[];
    semanticFromEpoch: number;
    now: number;
  },
): SessionRanking {
  const { documents } = reader;
  const { words, within, semanticFromEpoch, now } = request;
  const best = new Float64Array(documents.sessionCount);
  const sum = new Float64Array(documents.sessionCount);
  const meaning = new Float64Array(documents.sessionCount);
  const newestAt = new Float64Array(documents.sessionCount);
  const sessionOf = (slot: number) => documents.session[slot] ?? 0;
  const found = new Set<number>();
  const visit = (slot: number, score: number, into: (session: number) => void): void => {
    if (!within.has(slot)) return;
    const session = sessionOf(slot);
    found.add(session);
    newestAt[session] = Math.max(newestAt[session] ?? 0, documents.createdAt[slot] ?? 0);
    into(session);
    best[session] = Math.max(best[session] ?? 0, score);
  };
  words.forEach((slot, score) =>
    visit(slot, score, (session) => {
      sum[session] = (sum[session] ?? 0) + score;
    }),
  );
  const nearest = nearestBySlot(documents, request.semantic);
  for (const [slot, { share }] of nearest) {
    const isOld = (documents.createdAt[slot] ?? 0) < semanticFromEpoch;
    if (isOld && words.of(slot) === 0) continue;
    visit(slot, words.of(slot), (session) => {
      meaning[session] = Math.max(meaning[session] ?? 0, share);
    });
  }

  const sessions = [...found];
  const most = (values: Float64Array) => sessions.reduce((top, one) => Math.max(top, values[one] ?? 0), 0);
  const [topBest, topSum] = [most(best), most(sum)];
  const share = (value: number | undefined, top: number) => (top > 0 ? (value ?? 0) / top : 0);
  const ranked = sessions.map((session): RankedSession => {
    const parts = (
      [
        { name: 'lexical', value: SESSION_WEIGHTS.best * share(best[session], topBest) },
        { name: 'session', value: SESSION_WEIGHTS.sum * share(sum[session], topSum) },
        { name: 'semantic', value: SESSION_WEIGHTS.semantic * (meaning[session] ?? 0) },
        { name: 'recency', value: SESSION_WEIGHTS.recency * recencyOf(newestAt[session] ?? 0, now) },
      ] as const
    ).filter(({ value }) => value > 0);
    return { session, parts, score: sumOf(parts), newestAt: newestAt[session] ?? 0 };
  });
  ranked.sort(
    (a, b) =>
      b.score - a.score ||
      b.newestAt - a.newestAt ||
      documents.sessionIdOf(b.session) - documents.sessionIdOf(a.session),
  );

  return {
    ranked,
    hitsOf: (session) => {
      const value = (slot: number) => share(words.of(slot), topBest) + (nearest.get(slot)?.share ?? 0);
      return documents
        .sessionSlots(session)
        .filter(
          (slot) =>
            within.has(slot) && documents.kind[slot] === 0 && (words.of(slot) > 0 || nearest.has(slot)),
        )
        .toSorted((a, b) => value(b) - value(a) || documents.newerFirst(a, b))
        .slice(0, HITS)
        .map((slot) => documents.recordId[slot] ?? 0);
    },
  };
}
