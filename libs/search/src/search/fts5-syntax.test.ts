import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_QUERIES } from '../__fixtures__/hostile-queries.js';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory } from '../memory.js';

let test: TestMemory;
let memory: Memory;

beforeAll(async () => {
  test = await openTestMemory();
  await test.remember({ title: 'lease expired', narrative: 'The socket was closed by the harbour' });
  await test.remember({ title: 'socket opened', narrative: 'A lease for the pier', concepts: ['gotcha'] });
  await test.remember({
    title: 'pier painted',
    narrative: 'nothing else',
    filesModified: ['src/harbour.ts'],
  });
  await test.remember({ title: '用户身份验证', narrative: 'pre-edit of the userId' });
  memory = await test.open();
});
afterAll(() => test[Symbol.asyncDispose]());

const asked = async (query: string, syntax: 'fts5' | 'text' = 'fts5') => {
  const { items, strategy } = await memory.search({ query, syntax });
  return { strategy, titles: items.map(({ item }) => item.title ?? '').toSorted() };
};

describe('FTS5 syntax on request', () => {
  it.each<[string, string[]]>([
    ['lease AND socket', ['lease expired', 'socket opened']],
    ['lease socket', ['lease expired', 'socket opened']],
    ['lease NOT pier', ['lease expired']],
    ['expired OR painted', ['lease expired', 'pier painted']],
    ['(expired OR painted) NOT pier', ['lease expired']],
    ['title:lease', ['lease expired']],
    ['title : socket OR title : pier', ['pier painted', 'socket opened']],
    ['{title narrative} : pier', ['pier painted', 'socket opened']],
    ['- title : pier', ['socket opened']],
    ['-title:pier', ['socket opened']],
    ['concepts:gotcha', ['socket opened']],
    ['files:harbour', ['pier painted']],
    ['"lease expired"', ['lease expired']],
    ['"expired lease"', []],
    ['lease + expired', ['lease expired']],
    ['NEAR(socket closed, 2)', ['lease expired']],
    ['NEAR(socket harbour, 1)', []],
    ['har*', ['lease expired', 'pier painted']],
    ['^pier', ['pier painted']],
    ['leases', ['lease expired', 'socket opened']],
    ['用户身份', ['用户身份验证']],
    ['"用户" AND 验证', ['用户身份验证']],
    ['pre-edit', ['用户身份验证']],
    ['userId', ['用户身份验证']],
    ['user_id AND edit', ['用户身份验证']],
  ])('finds the expected records: %s', async (query, titles) => {
    expect(await asked(query)).toEqual({ strategy: 'fts5', titles });
  });

  it.each([
    'har*',
    'clo* AND lease',
    'lease har*',
    'l* pier',
    '"har" *',
    'leas* expir* har*',
    'nothing*',
    'har* AND nothing',
  ])('returns the same results for prefix queries as FTS5: %s', async (query) => {
    expect(await asked(query)).toEqual(await asked(`(${query})`));
  });

  it.each([
    '"lease',
    '(lease',
    'lease AND',
    'OR lease',
    'nothere:lease',
    'NEAR(lease',
    '*',
    'lease)',
    '{title: lease',
  ])('treats a malformed query as plain text: %s', async (query) => {
    const answer = await memory.search({ query, syntax: 'fts5' });
    expect(answer.strategy).not.toBe('fts5');
    expect(answer.degraded.map(({ part }) => part)).toContain('syntax');
    expect(answer.items.length > 0).toBe(query.includes('lease') || query.includes('title'));
  });

  it('does not apply to plain text queries', async () => {
    const every = ['lease expired', 'socket opened'];
    for (const query of [
      'lease NOT pier',
      'lease AND nothing',
      'lease -socket',
      '"expired socket"',
      'NEAR(lease, socket)',
    ])
      expect((await asked(query, 'text')).titles, query).toEqual(expect.arrayContaining(every));
    expect((await asked('har*', 'text')).titles).toEqual([]);
    expect((await asked('title:lease', 'text')).titles).toEqual(expect.arrayContaining(every));
  });

  it('answers every hostile query', async () => {
    for (const { query } of HOSTILE_QUERIES) {
      const answer = await memory.search({ query, syntax: 'fts5' });
      expect(JSON.stringify(answer).isWellFormed()).toBe(true);
    }
  });
});
