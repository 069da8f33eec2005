import { createTopSlots, type LexicalReader } from '@claude-mem/lexical-index';
import { FUSION_WEIGHTS } from '../fusion/fusion-weights.js';
import type { ScorePart } from '../memory.js';
import { FULLY_RANKED, type RankedSlot } from './ranking.js';
import { scoreSessions } from './score-sessions.js';
import { scoreSignals, type SignalsRequest } from './score-signals.js';

/** Number of sessions whose matching records are all ranked, whatever their lexical rank. */
const RANKED_SESSIONS = 10;

export interface RankingRequest extends SignalsRequest {
  /** Number of returned observations. */
  limit: number;
  now: number;
}

/**
 * Ranks the best lexical results, and those that vectors, files and the best sessions add, by all signals. Best
 * first, for equal scores newer first. Each result matches a word, a vector or a file itself. Further lexical results
 * are ranked without their surroundings, so that the order does not depend on the limit.
 */
export function rankObservations(reader: LexicalReader, request: RankingRequest): RankedSlot[] {
  const { documents } = reader;
  const { words, within, limit, now } = request;
  const signals = scoreSignals(reader, request);
  const sessions = scoreSessions(reader, { signals, now });

  const candidates = new Set(words.best.slice(0, FULLY_RANKED).map(({ slot }) => slot));
  for (const slot of signals.extra) candidates.add(slot);
  for (const session of sessions.best(RANKED_SESSIONS))
    for (const slot of documents.sessionSlots(session))
      if (words.of(slot) > 0 && within.has(slot)) candidates.add(slot);

  const sessionNumbers = documents.session;
  const ofSession = (value: number) =>
    sessions.most > 0 ? (FUSION_WEIGHTS.session * value) / sessions.most : 0;
  const sessionPart = (slot: number) => ofSession(sessions.of(sessionNumbers[slot] ?? 0));
  const recencyPart = (slot: number) => ofSession(sessions.recency(sessionNumbers[slot] ?? 0));
  const isAlone = (slot: number) => !candidates.has(slot) || signals.isNegligible(slot);
  // Added in the order of the parts, so that the sum is exactly the score.
  const scoreOf = (slot: number): number =>
    isAlone(slot)
      ? signals.own(slot)
      : signals.own(slot) + signals.neighbours(slot) + sessionPart(slot) + recencyPart(slot);
  const partsOf = (slot: number): ScorePart[] => {
    const parts: ScorePart[] = [
      { name: 'lexical', value: signals.lexical(slot) },
      { name: 'semantic', value: signals.semantic(slot) },
      { name: 'files', value: signals.filesTouched(slot) },
    ];
    if (!isAlone(slot))
      parts.push(
        { name: 'neighbours', value: signals.neighbours(slot) },
        { name: 'session', value: sessionPart(slot) },
        { name: 'recency', value: recencyPart(slot) },
      );
    return parts
      .filter(({ value }) => value !== 0)
      .map((part) => {
        const detail = signals.detail(part.name, slot);
        return detail === null ? part : { ...part, detail };
      });
  };
  const top = createTopSlots(limit, documents.newerFirst);
  for (const slot of candidates) top.offer(slot, scoreOf(slot));
  for (const { slot } of words.best.slice(FULLY_RANKED))
    if (!candidates.has(slot)) top.offer(slot, scoreOf(slot));
  return top.sorted().map(({ slot, score }) => ({
    slot,
    score,
    parts: () => partsOf(slot),
    evidence: () => signals.evidence(slot),
  }));
}
