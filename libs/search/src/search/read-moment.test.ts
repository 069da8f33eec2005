import { parseMoment } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { readMoment } from './read-moment.js';

const local = (...parts: [number, number, number, number?, number?, number?, number?]) =>
  new Date(...parts).getTime();

describe('parsing a time', () => {
  it.each([
    ['2026-11-28', local(2026, 10, 28)],
    [' 2026-11-28 ', local(2026, 10, 28)],
    ['2026-11-28T14:30', local(2026, 10, 28, 14, 30)],
    ['2026-11-28 14:30:05', local(2026, 10, 28, 14, 30, 5)],
    ['2026-11-28T14:30:05.123456Z', Date.UTC(2026, 10, 28, 14, 30, 5, 123)],
    ['2026-11-28t14:30z', Date.UTC(2026, 10, 28, 14, 30)],
    ['2026-11-28T14:30+01:00', Date.UTC(2026, 10, 28, 13, 30)],
    ['2026-11-28T00:30:00-0530', Date.UTC(2026, 10, 28, 6, 0)],
    ['2024-02-29', local(2024, 1, 29)],
    ['1764340200000', 1_764_340_200_000],
    [1_764_340_200_000.9, 1_764_340_200_000],
    [0, 0],
  ])('accepts %j', (value, epoch) => {
    expect(parseMoment(value)).toBe(epoch);
  });

  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-28T24:00',
    '2026-11-28T10:60',
    '2026-11-28T10:00:00 or so',
    '2026-11-28T10:00+99:00',
    '2026',
    '20261128',
    '12345678901234567890',
    'yesterday',
    '28.11.2026',
    '',
    NaN,
    Infinity,
    9e15,
  ])('rejects %j', (value) => {
    expect(parseMoment(value)).toBeNull();
  });

  it('ends a date without time at the end of the local day', () => {
    expect(parseMoment('2026-11-28', 'end')).toBe(local(2026, 10, 28, 23, 59, 59, 999));
    expect(parseMoment('2026-11-28T14:30', 'end')).toBe(local(2026, 10, 28, 14, 30));
  });

  it('returns undefined for a missing value and names the field of an invalid value', () => {
    expect([undefined, null, ''].map((value) => readMoment('dateTo', value, 'end'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const value of ['soon', {}, [], true, new Date()])
      expect(() => readMoment('dateTo', value, 'end')).toThrow(
        expect.objectContaining({
          code: 'search/bad-request',
          message: expect.stringMatching(/^dateTo/) as string,
        }),
      );
  });
});
