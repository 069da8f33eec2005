import type { QueryTerm } from '../analysis/analyze-query.js';
import { EVERYDAY_WORDS } from '../analysis/everyday-words.js';
import { rareness } from './term-postings.js';

/**
 * With fewer records, rare words cannot be distinguished, because all words of the only session are in most records.
 */
const ENOUGH = 100;
/** The assumed share of further records that contain an everyday word. */
const EVERYDAY = 1 / 5;

/**
 * Estimates the rarity of a word in a larger memory. With fewer than 100 records, it assumes further records that
 * contain every common word, some everyday words and no others. From 100 records on it equals `rareness`.
 */
export function expectedRareness(total: number): (
  term: Pick<QueryTerm, 'term' | 'isCommon'>,
  /** Number of records with the word. */
  found: number,
) => number {
  const missing = Math.max(ENOUGH - total, 0);
  return ({ term, isCommon }, found) => {
    const share = isCommon ? 1 : EVERYDAY_WORDS.has(term) ? EVERYDAY : 0;
    return rareness(total + missing, found + missing * share);
  };
}
