import type { DocumentSet } from '../documents/document-set.js';
import type { LexicalReader } from '../lexical/lexical-index.js';
import type { FoundSlots } from '../lexical/score-terms.js';

/** The sessions of records that were found; all but the list by the numbers that the documents give to sessions. */
export interface FoundSessions {
  readonly sessions: Float64Array;
  /** How many of `sessions` are in use. */
  readonly count: number;
  /** The slot of the best record + 1; 0 where none was found. */
  readonly best: Float64Array;
  readonly scores: Float64Array;
  /** Time of the newest record that was found. */
  readonly newest: Float64Array;
}

/** What was found within a set, by sessions. */
export function findSessions(reader: LexicalReader, found: FoundSlots, within: DocumentSet): FoundSessions {
  const { session: sessionOf, createdAt } = reader.documents;
  const sessions = reader.numbersOfSessions();
  const best = reader.numbersOfSessions();
  const bestScores = reader.numbersOfSessions();
  const newest = reader.numbersOfSessions();
  const { slots, scores } = found;
  const { bits } = within;
  let count = 0;
  for (let place = 0; place < found.count; place += 1) {
    const slot = slots[place] as number;
    if ((((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 0) continue;
    const session = sessionOf[slot] as number;
    const score = scores[slot] as number;
    const time = createdAt[slot] as number;
    const isFirst = best[session] === 0;
    if (isFirst) sessions[count++] = session;
    if (isFirst || score > (bestScores[session] as number)) {
      best[session] = slot + 1;
      bestScores[session] = score;
    }
    if (time > (newest[session] as number)) newest[session] = time;
  }
  return { sessions, count, best, scores: bestScores, newest };
}

/** The greatest value that any of the sessions has. */
export function mostOf(
  values: Float64Array,
  { sessions, count }: Pick<FoundSessions, 'sessions' | 'count'>,
): number {
  let most = 0;
  for (let place = 0; place < count; place += 1) {
    const value = values[sessions[place] as number] as number;
    if (value > most) most = value;
  }
  return most;
}
