import type { DocumentSet } from '../documents/document-set.js';
import { createTopSlots } from '../documents/top-slots.js';
import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import { recencyOf } from '../fusion/recency-of.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { ScorePart } from '../memory.js';
import type { MatchedWords, Signals } from './score-signals.js';

/** What speaks for whole sessions, by the numbers that the documents give them. */
export interface SessionScores {
  /** Those of which something was found; of equal scores the one with the newer record that was found, then the larger id. */
  best(limit: number): readonly number[];
  /** The greatest score without recency. */
  readonly most: number;
  /** Without recency. */
  of(session: number): number;
  recency(session: number): number;
  partsOf(session: number): ScorePart[];
  /** Time of the newest record that was found of it. */
  newestAt(session: number): number;
}

/** A session counts by its best record, by all that it holds as one text, and by the files that anything in it touched. */
export function scoreSessions(
  reader: LexicalReader,
  given: { words: MatchedWords; within: DocumentSet; signals: Signals; now: number },
): SessionScores {
  const { documents } = reader;
  const { words, within, signals, now } = given;
  const best = reader.numbersOfSessions().fill(NONE);
  const bestOwn = reader.numbersOfSessions();
  const newest = reader.numbersOfSessions();
  const found: number[] = [];
  const { session: sessionOf, createdAt } = documents;
  const visit = (slot: number, own: number): void => {
    const session = sessionOf[slot] ?? 0;
    if (best[session] === NONE) found.push(session);
    newest[session] = Math.max(newest[session] ?? 0, createdAt[slot] ?? 0);
    if (best[session] !== NONE && own <= (bestOwn[session] ?? 0)) return;
    best[session] = slot;
    bestOwn[session] = own;
  };
  words.forEach((slot, score) => {
    if (within.has(slot)) visit(slot, signals.lexicalOf(score));
  });
  // What more than words found has at least what its words gave it.
  for (const slot of signals.extra) visit(slot, signals.own(slot));

  const shareOf = (values: Float64Array, weight: number) => {
    const most = found.reduce((top, session) => Math.max(top, values[session] ?? 0), 0);
    return (session: number) => (most > 0 ? (weight * (values[session] ?? 0)) / most : 0);
  };
  const asOne = shareOf(signals.sessions.asOne, FUSION_WEIGHTS.sessionAsOne);
  const files = (session: number) => FUSION_WEIGHTS.sessionFiles * (signals.sessions.files[session] ?? 0);
  const scores = reader.numbersOfSessions();
  let most = 0;
  for (const session of found) {
    const score = (bestOwn[session] ?? 0) + asOne(session) + files(session);
    scores[session] = score;
    if (score > most) most = score;
  }
  const recency = (session: number) => FUSION_WEIGHTS.recency * recencyOf(newest[session] ?? 0, now);
  const isBefore = (a: number, b: number) =>
    ((newest[b] ?? 0) - (newest[a] ?? 0) || documents.sessionIdOf(b) - documents.sessionIdOf(a)) < 0;
  return {
    best(limit) {
      const top = createTopSlots(limit, isBefore);
      for (const session of found) {
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
      const slot = best[session] ?? 0;
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

const NONE = -1;
