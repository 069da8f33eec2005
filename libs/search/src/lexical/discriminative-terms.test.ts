import type { QueryTerm } from '@claude-mem/analysis';
import { expect, it } from 'vitest';
import { discriminativeTerms } from './discriminative-terms.js';

const RECORDS = 1_000;
const words = (count: number): QueryTerm[] =>
  Array.from({ length: count }, (_, index) => ({ term: `word${index}`, weight: 1 }));
/** The later a word, the more records hold it. */
const byNumber = ({ term }: QueryTerm) => Number(term.slice(4)) + 1;

it('of a long query the rarest words count', () => {
  expect(discriminativeTerms(words(100).reverse(), byNumber, RECORDS)).toEqual(words(40).reverse());
});

it('of a short one all of them', () => {
  expect(discriminativeTerms(words(40), () => 0, RECORDS)).toEqual(words(40));
});

it('common words stay and take nobody’s place', () => {
  const common: QueryTerm[] = [{ term: 'the', weight: 0.3, isCommon: true }];
  expect(
    discriminativeTerms([...common, ...words(41)], (term) => (term.isCommon ? 900 : byNumber(term)), RECORDS),
  ).toEqual([...common, ...words(40)]);
});

it('what stands nowhere goes first, then what weighs little', () => {
  const light: QueryTerm[] = [{ term: 'light', weight: 0.01 }];
  const given = [...light, ...words(41)];
  const countOf = ({ term }: QueryTerm) => (term === 'word3' ? 0 : 5);
  const kept = discriminativeTerms(given, countOf, RECORDS).map(({ term }) => term);
  expect(kept).toHaveLength(40);
  expect(kept).not.toContain('word3');
  expect(kept).not.toContain('light');
});
