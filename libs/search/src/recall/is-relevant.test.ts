import { expect, it } from 'vitest';
import type { MatchedWord } from '@claude-mem/lexical-index';
import { isRelevant } from './is-relevant.js';

const word = (given: Partial<MatchedWord> = {}): MatchedWord => ({
  term: 'voucher',
  share: 0.1,
  rareness: 0.8,
  concentration: 0.5,
  ...given,
});
const relevant = (words: MatchedWord[]) => isRelevant({ words });

it('accepts a record that shares enough rare words, including one that is specific to its session', () => {
  expect(relevant([word(), word(), word()])).toBe(true);
});

it.each([
  ['two rare words by chance', [word(), word()]],
  ['many common words', Array.from({ length: 15 }, () => word({ rareness: 0.1 }))],
  ['a small part of a long prompt', Array.from({ length: 6 }, () => word({ share: 0.02 }))],
  [
    'rare words of talk, spread over many sessions',
    Array.from({ length: 4 }, () => word({ concentration: 0.1 })),
  ],
  ['nothing', []],
])('rejects %s', (_, words) => {
  expect(relevant(words)).toBe(false);
});
