import { expect, it } from 'vitest';
import { analyzeQuery } from './analyze-query.js';
import { analyzeRecord } from './analyze-record.js';

const weightsOf = (query: string) =>
  Object.fromEntries(analyzeQuery(query).terms.map(({ term, weight }) => [term, weight]));

it('takes words whole, and the parts of a whole for less', () => {
  expect(weightsOf('retries userId')).toEqual({ retri: 1, userid: 1, user: 0.5, id: 0.5 });
});

it('a path is looked up in texts and among files', () => {
  expect(weightsOf('src/a.ts')).toMatchObject({ 'src/a.ts': 1, '/src/a.ts': 1, 'a.ts': 1, src: 0.5 });
});

it('common words count little beside others, find nothing by themselves, and count fully alone', () => {
  const { terms } = analyzeQuery('where is the token');
  expect(terms.filter(({ isCommon }) => !isCommon)).toEqual([{ term: 'token', weight: 1, word: 'token' }]);
  expect(terms.find(({ term }) => term === 'the')).toEqual({ term: 'the', weight: 0.3, isCommon: true });
  expect(analyzeQuery('what is it').terms).toEqual([
    { term: 'what', weight: 1 },
    { term: 'is', weight: 1 },
    { term: 'it', weight: 1 },
  ]);
});

it('what is repeated counts more, in proportion to its logarithm', () => {
  expect(weightsOf('token token cache')).toEqual({ token: 1 + Math.log(2), cach: 1 });
});

it('names of languages count less', () => {
  const { python, sort } = weightsOf('python sort') as { python: number; sort: number };
  expect(python).toBeLessThan(sort);
  expect(Object.keys(weightsOf('Python'))).toEqual(['python']);
});

it('B079: a percentage is looked up as one, and a number finds it too', () => {
  expect(Object.keys(weightsOf('100%'))).toEqual(['100%']);
  const terms = (title: string) => analyzeRecord({ kind: 'prompt', promptText: title }).terms;
  expect(terms('100% done').has('100%')).toBe(true);
  expect(terms('100% done').has('100')).toBe(true);
  expect(terms('100 done').has('100%')).toBe(false);
});

it('B073: whatever is typed gives terms that find it where it is stored, or none', () => {
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

it('bounds the terms of a long text', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `word${index}x`).join(' ');
  expect(analyzeQuery(many).terms).toHaveLength(512);
});
