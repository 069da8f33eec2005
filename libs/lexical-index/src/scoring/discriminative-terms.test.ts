import type { QueryTerm } from '../analysis/analyze-query.js';
import { expect, it } from 'vitest';
import { discriminativeTerms } from './discriminative-terms.js';

const RECORDS = 1_000;
const words = (count: number): QueryTerm[] =>
  Array.from({ length: count }, (_, index) => ({ term: `word${index}`, weight: 1 }));
/** Number of records that contain the word. It grows with the number in the word. */
const byNumber = ({ term }: QueryTerm) => Number(term.slice(4)) + 1;

it('keeps the rarest terms of a long query', () => {
  expect(discriminativeTerms(words(100).reverse(), byNumber, RECORDS)).toEqual(words(40).reverse());
});

it('keeps all terms of a short query', () => {
  expect(discriminativeTerms(words(40), () => 0, RECORDS)).toEqual(words(40));
});

it('keeps common terms without counting them toward the limit', () => {
  const common: QueryTerm[] = [{ term: 'the', weight: 0.3, isCommon: true }];
  expect(
    discriminativeTerms([...common, ...words(41)], (term) => (term.isCommon ? 900 : byNumber(term)), RECORDS),
  ).toEqual([...common, ...words(40)]);
});

it('removes unknown terms first, then terms with a low weight', () => {
  const light: QueryTerm[] = [{ term: 'light', weight: 0.01 }];
  const given = [...light, ...words(41)];
  const countOf = ({ term }: QueryTerm) => (term === 'word3' ? 0 : 5);
  const kept = discriminativeTerms(given, countOf, RECORDS).map(({ term }) => term);
  expect(kept).toHaveLength(40);
  expect(kept).not.toContain('word3');
  expect(kept).not.toContain('light');
});
