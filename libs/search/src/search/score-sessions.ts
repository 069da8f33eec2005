import type { DocumentSet } from '../documents/document-set.js';
import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import { recencyOf } from '../fusion/recency-of.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { TermScores } from '../lexical/score-terms.js';
import type { ScorePart } from '../memory.js';
import type { MatchedWords, Signals } from './score-signals.js';

/** What speaks for whole sessions, by the numbers that the documents give them. */
export interface SessionScores {
  /** Those of which something was found; of equal scores the one with the newer record that was found, then the larger id. */
  best(limit?: number): readonly number[];
  /** The greatest score of them. */
  readonly most: number;
  of(session: number): number;
  partsOf(session: number): ScorePart[];
  /** Time of the newest record that was found of it. */
  newestAt(session: number): number;
}

/**
 * A session counts by its best record and by all that it holds as one text.
 * @param asOne scores of the sessions as one text each, by their numbers
 */
export function scoreSessions(
  reader: LexicalReader,
  given: { words: MatchedWords; within: DocumentSet; signals: Signals; asOne: Float64Array; now: number },
): SessionScores {
  const { documents } = reader;
  const { words, within, signals, asOne, now } = given;
  const best = new Int32Array(documents.sessionCount).fill(NONE);
  const bestOwn = new Float64Array(documents.sessionCount);
  const newest = new Float64Array(documents.sessionCount);
  const found: number[] = [];
  const visit = (slot: number, own: number): void => {
    const session = documents.session[slot] ?? 0;
    if (best[session] === NONE) found.push(session);
    newest[session] = Math.max(newest[session] ?? 0, documents.createdAt[slot] ?? 0);
    if (best[session] !== NONE && own <= (bestOwn[session] ?? 0)) return;
    best[session] = slot;
    bestOwn[session] = own;
  };
  words.forEach((slot) => {
    if (within.has(slot)) visit(slot, signals.lexical(slot));
  });
  for (const slot of signals.extra) visit(slot, signals.own(slot));

  const mostAsOne = found.reduce((most, session) => Math.max(most, asOne[session] ?? 0), 0);
  const sessionPart = (session: number) =>
    mostAsOne > 0 ? (FUSION_WEIGHTS.sessionAsOne * (asOne[session] ?? 0)) / mostAsOne : 0;
  const recency = (session: number) => FUSION_WEIGHTS.recency * recencyOf(newest[session] ?? 0, now);
  const of = (session: number) => (bestOwn[session] ?? 0) + sessionPart(session) + recency(session);
  const isBefore = (a: number, b: number) =>
    of(b) - of(a) ||
    (newest[b] ?? 0) - (newest[a] ?? 0) ||
    documents.sessionIdOf(b) - documents.sessionIdOf(a);
  return {
    best: (limit) => found.toSorted(isBefore).slice(0, limit),
    most: found.reduce((most, session) => Math.max(most, of(session)), 0),
    of,
    newestAt: (session) => newest[session] ?? 0,
    partsOf: (session) => {
      const slot = best[session] ?? 0;
      return [
        { name: 'lexical', value: signals.lexical(slot) },
        { name: 'semantic', value: signals.semantic(slot) },
        { name: 'files', value: signals.filesTouched(slot) },
        { name: 'session', value: sessionPart(session) },
        { name: 'recency', value: recency(session) },
      ];
    },
  };
}

const NONE = -1;

export function wholeSessions({ documents }: LexicalReader, words: TermScores): Float64Array {
  const sums = words.sessions();
  return Float64Array.from({ length: documents.sessionCount }, (_, session) => sums.sum(session));
}
