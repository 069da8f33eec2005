import { expect, it } from 'vitest';
import { analyzeQuery } from './analyze-query.js';
import { analyzeRecord } from './analyze-record.js';

const weightsOf = (query: string) =>
  Object.fromEntries(analyzeQuery(query).terms.map(({ term, weight }) => [term, weight]));

it('uses whole words and adds the parts of an identifier with less weight', () => {
  expect(weightsOf('retries userId')).toEqual({ retri: 1, userid: 1, user: 0.5, id: 0.5 });
});

it('adds terms for the text and for the files when a query contains a path', () => {
  expect(weightsOf('src/a.ts')).toMatchObject({ 'src/a.ts': 1, '/src/a.ts': 1, 'a.ts': 1, src: 0.5 });
});

it('gives common words a low weight beside others, and full weight when there are no others', () => {
  const { terms } = analyzeQuery('where is the token');
  expect(terms.filter(({ isCommon }) => !isCommon)).toEqual([{ term: 'token', weight: 1, word: 'token' }]);
  expect(terms.find(({ term }) => term === 'the')).toEqual({ term: 'the', weight: 0.3, isCommon: true });
  expect(analyzeQuery('what is it').terms).toEqual([
    { term: 'what', weight: 1 },
    { term: 'is', weight: 1 },
    { term: 'it', weight: 1 },
  ]);
});

it('increases the weight of a repeated word by the logarithm of its count', () => {
  expect(weightsOf('token token cache')).toEqual({ token: 1 + Math.log(2), cach: 1 });
});

it('gives names of programming languages a lower weight', () => {
  const { python, sort } = weightsOf('python sort') as { python: number; sort: number };
  expect(python).toBeLessThan(sort);
  expect(Object.keys(weightsOf('Python'))).toEqual(['python']);
});

it('B079: keeps a percentage as one term, which a record with only the number does not have', () => {
  expect(Object.keys(weightsOf('100%'))).toEqual(['100%']);
  const terms = (title: string) => analyzeRecord({ kind: 'prompt', promptText: title }).terms;
  expect(terms('100% done').has('100%')).toBe(true);
  expect(terms('100% done').has('100')).toBe(true);
  expect(terms('100 done').has('100%')).toBe(false);
});

it('B073: returns only terms that the same text as a record has, and none without words', () => {
  for (const query of [
    "don't",
    'pre-edit',
    '--flag',
    'foo:bar',
    '38.101',
    'GB/s',
    'AND',
    'NEAR',
    'C++',
    'a\u0000b',
  ])
    for (const { term } of analyzeQuery(query).terms)
      if (!term.startsWith('/'))
        expect(
          analyzeRecord({ kind: 'prompt', promptText: query }).terms.has(term),
          `${query}: ${term}`,
        ).toBe(true);
  for (const query of ['', ' ', '"', '*', '(', '\u0000', '-- "" ()'])
    expect(analyzeQuery(query)).toEqual({ terms: [] });
});

it('limits the number of terms of a long query', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `word${index}x`).join(' ');
  expect(analyzeQuery(many).terms).toHaveLength(512);
});
