import { createTopSlots, type LexicalReader } from '@claude-mem/lexical-index';
import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import { recencyOf } from '../fusion/recency-of.js';
import type { ScorePart } from '../memory.js';
import { mostOf } from './find-sessions.js';
import type { Signals } from './score-signals.js';

/** Scores of complete sessions, by the session numbers of the document table. */
export interface SessionScores {
  /** Found sessions; for equal scores the one with the newer found record, then the larger id. */
  best(limit: number): readonly number[];
  /** The greatest score without recency. */
  readonly most: number;
  /** Score without recency. */
  of(session: number): number;
  recency(session: number): number;
  partsOf(session: number): ScorePart[];
  /** Time of its newest found record. */
  newestAt(session: number): number;
}

/**
 * Scores a session by its best record, by all its records as one text, and by the files that any of its records
 * touched.
 */
export function scoreSessions(
  reader: LexicalReader,
  { signals, now }: { signals: Signals; now: number },
): SessionScores {
  const { documents } = reader;
  const { asOne: wholes, files: shares, words } = signals.sessions;
  const copied = (values: Float64Array) => {
    const copy = reader.numbersOfSessions();
    copy.set(values);
    return copy;
  };
  const best = copied(words.best);
  const newest = copied(words.newest);
  const found = copied(words.sessions);
  const bestOwn = reader.numbersOfSessions();
  let { count } = words;
  for (let place = 0; place < count; place += 1) {
    const session = found[place] as number;
    bestOwn[session] = signals.lexicalOf(words.scores[session] as number);
  }
  const { session: sessionOf, createdAt } = documents;
  // A record that other signals found too has at least its lexical score.
  for (const slot of signals.extra) {
    const session = sessionOf[slot] ?? 0;
    const own = signals.own(slot);
    const isFirst = best[session] === 0;
    if (isFirst) found[count++] = session;
    newest[session] = Math.max(newest[session] ?? 0, createdAt[slot] ?? 0);
    if (!isFirst && own <= (bestOwn[session] ?? 0)) continue;
    best[session] = slot + 1;
    bestOwn[session] = own;
  }

  const mostAsOne = mostOf(wholes, { sessions: found, count });
  const asOne = (session: number) =>
    mostAsOne > 0 ? (FUSION_WEIGHTS.sessionAsOne * (wholes[session] ?? 0)) / mostAsOne : 0;
  const files = (session: number) => FUSION_WEIGHTS.sessionFiles * (shares[session] ?? 0);
  const scores = reader.numbersOfSessions();
  let most = 0;
  for (let place = 0; place < count; place += 1) {
    const session = found[place] as number;
    const score = (bestOwn[session] ?? 0) + asOne(session) + files(session);
    scores[session] = score;
    if (score > most) most = score;
  }
  const recency = (session: number) => FUSION_WEIGHTS.recency * recencyOf(newest[session] ?? 0, now);
  const newerFirst = (a: number, b: number) =>
    (newest[b] ?? 0) - (newest[a] ?? 0) || documents.sessionIdOf(b) - documents.sessionIdOf(a);
  return {
    best(limit) {
      const top = createTopSlots(limit, newerFirst);
      for (let place = 0; place < count; place += 1) {
        const session = found[place] as number;
        const score = scores[session] ?? 0;
        if (score + FUSION_WEIGHTS.recency >= top.floor) top.offer(session, score + recency(session));
      }
      return top.sorted().map(({ slot: session }) => session);
    },
    most,
    of: (session) => scores[session] ?? 0,
    recency,
    newestAt: (session) => newest[session] ?? 0,
    partsOf: (session) => {
      const slot = (best[session] ?? 1) - 1;
      return [
        { name: 'lexical', value: signals.lexical(slot) },
        { name: 'semantic', value: signals.semantic(slot) },
        { name: 'files', value: signals.filesTouched(slot) + files(session) },
        { name: 'session', value: asOne(session) },
        { name: 'recency', value: recency(session) },
      ];
    },
  };
}
