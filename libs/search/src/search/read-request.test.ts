import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../memory.js';
import { readRequest, REQUEST_LIMITS } from './read-request.js';

const read = (request: unknown) => readRequest(request as SearchRequest);

describe('parsing a search request', () => {
  it('returns the defaults when the request is empty', () => {
    expect(read({})).toEqual({
      query: '',
      syntax: 'text',
      limit: 20,
      offset: 0,
      complete: false,
      prefix: false,
      explain: false,
      meaning: true,
      orderBy: 'relevance',
      contextFiles: [],
      semanticWindowDays: 0,
    });
  });

  it('accepts a single value for a list and removes duplicates and blank values', () => {
    const { projects, types, concepts, files } = read({
      project: 'shop',
      type: ['bugfix', ' bugfix ', ''],
      concepts: [],
      files: '  ',
    });
    expect([projects, types, concepts, files]).toEqual([['shop'], ['bugfix'], undefined, undefined]);
  });

  it.each([
    [{ limit: 0 }, { limit: 0 }],
    [
      { limit: -5, offset: -1 },
      { limit: 0, offset: 0 },
    ],
    [{ limit: 3.9 }, { limit: 3 }],
    [
      { limit: 1e9, offset: Infinity },
      { limit: REQUEST_LIMITS.limit, offset: REQUEST_LIMITS.offsetInList },
    ],
    [
      { query: null, limit: null, project: null, explain: null },
      { query: '', limit: 20 },
    ],
  ])('limits %j to the allowed range', (request, expected) => {
    expect(read(request)).toMatchObject(expected);
  });

  it('normalizes texts and limits their length', () => {
    const { query, files, session } = read({
      query: 'cafe\u0301 \ud800 a\u0000b',
      files: ['a\u0000.ts'],
      session: ' s-1 ',
    });
    expect([query, files, session]).toEqual(['café \ufffd a\u2400b', ['a\u2400.ts'], 's-1']);
    const long = read({ query: '🙂'.repeat(1_000_000), project: Array(9_999).fill('p'.repeat(1e5)) });
    expect(long.query.length).toBeLessThanOrEqual(REQUEST_LIMITS.query);
    expect(long.query.isWellFormed()).toBe(true);
    expect(long.projects?.[0]).toHaveLength(REQUEST_LIMITS.value);
  });

  it.each([
    [null, 'request'],
    [[], 'request'],
    ['words', 'request'],
    [{ query: 7 }, 'query'],
    [{ limit: '20' }, 'limit'],
    [{ limit: NaN }, 'limit'],
    [{ offset: {} }, 'offset'],
    [{ syntax: 'sql' }, 'syntax'],
    [{ orderBy: 'size' }, 'orderBy'],
    [{ explain: 'yes' }, 'explain'],
    [{ project: 7 }, 'project'],
    [{ type: [null] }, 'type'],
    [{ concepts: {} }, 'concepts'],
    [{ files: [['a']] }, 'files'],
    [{ contextFiles: 1 }, 'contextFiles'],
    [{ session: true }, 'session'],
    [{ dateFrom: '2026-02-30' }, 'dateFrom'],
    [{ dateTo: 'soon' }, 'dateTo'],
    [{ semanticWindowDays: 'all' }, 'semanticWindowDays'],
  ])('rejects %j and names the invalid field', (request, field) => {
    expect(() => read(request)).toThrow(
      expect.objectContaining({ code: 'search/bad-request', data: { field } }),
    );
  });

  it('throws the abort reason when the signal is already aborted', () => {
    expect(() => read({ signal: AbortSignal.abort('enough') })).toThrow('enough');
  });
});
