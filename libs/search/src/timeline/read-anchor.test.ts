import { describe, expect, it } from 'vitest';
import { readAnchor } from './read-anchor.js';

describe('parsing a timeline anchor', () => {
  it.each([123, '123', ' 123 ', '#123', ' #123\n', '# 123'])(
    'B080: reads %j as an observation ID',
    (anchor) => {
      expect(readAnchor(anchor)).toEqual({ kind: 'record', record: 'observation', id: 123 });
    },
  );

  it.each([
    ['S12', 'summary'],
    ['s12', 'summary'],
    ['#S12', 'summary'],
    ['P12', 'prompt'],
  ])('reads %j as the ID of a %s', (anchor, record) => {
    expect(readAnchor(anchor)).toEqual({ kind: 'record', record, id: 12 });
  });

  it('B080: reads many digits as an ID, not as a time', () => {
    expect(readAnchor('20261128')).toMatchObject({ kind: 'record', id: 20_261_128 });
    expect(readAnchor('1764340200000')).toMatchObject({ kind: 'record', id: 1_764_340_200_000 });
  });

  it('reads a date with time and an explicit query', () => {
    expect(readAnchor('2026-11-28T14:30Z')).toEqual({
      kind: 'moment',
      epoch: Date.UTC(2026, 10, 28, 14, 30),
    });
    expect(readAnchor({ query: 'date parser' })).toEqual({ kind: 'query', query: 'date parser' });
  });

  it.each([
    'abc',
    '',
    '  ',
    '12abc',
    '1.5',
    '-3',
    '99999999999999999',
    'X12',
    '2026-02-30',
    0,
    -1,
    1.5,
    NaN,
    null,
    undefined,
    {},
    { query: ' ' },
    { query: 7 },
    [],
    true,
  ])('B080: rejects %j and names the allowed values', (anchor) => {
    expect(() => readAnchor(anchor)).toThrow(
      expect.objectContaining({
        code: 'search/bad-request',
        message: expect.stringContaining('anchor must be an id') as string,
      }),
    );
  });
});
