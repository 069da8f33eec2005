import type { QueryTerm } from '../analysis/analyze-query.js';
import { EVERYDAY_WORDS } from '../analysis/everyday-words.js';
import { rareness } from './term-postings.js';

/** Of fewer records nobody can say which words are rare: all words of the only session stand in most of them. */
const ENOUGH = 100;
/** Of the records that are not there yet, those that an everyday word will stand in. */
const EVERYDAY = 1 / 5;

/**
 * How rare a word is among as many records as make that telling: where there are fewer, as if others came that hold every common
 * word, some everyday words and none of the rest. In a memory of 100 records and more it is `rareness`.
 */
export function expectedRareness(total: number): (
  term: Pick<QueryTerm, 'term' | 'isCommon'>,
  /** Records that hold it. */
  found: number,
) => number {
  const missing = Math.max(ENOUGH - total, 0);
  return ({ term, isCommon }, found) => {
    const share = isCommon ? 1 : EVERYDAY_WORDS.has(term) ? EVERYDAY : 0;
    return rareness(total + missing, found + missing * share);
  };
}
