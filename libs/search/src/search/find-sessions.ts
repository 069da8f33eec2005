import type { DocumentSet, FoundSlots, LexicalReader } from '@claude-mem/lexical-index';

/**
 * The sessions of found records. All arrays except the list are indexed by the session numbers of the document table.
 */
export interface FoundSessions {
  readonly sessions: Float64Array;
  /** Number of used entries of `sessions`. */
  readonly count: number;
  /** Slot of the best record + 1; 0 when none was found. */
  readonly best: Float64Array;
  readonly scores: Float64Array;
  /** Time of the newest found record. */
  readonly newest: Float64Array;
}

/** Groups the records that were found within a set by session. */
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

/** The greatest value of any of the sessions. */
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
