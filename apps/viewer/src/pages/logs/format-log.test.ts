import { describe, expect, it } from 'vitest';
import { dayOf, formatFields, levelOf, formatLine, textOf } from './format-log.js';

const item = {
  offset: 0,
  atEpoch: Date.UTC(2026, 10, 28, 14, 30),
  level: 'warn' as const,
  message: 'Not stored',
  fields: { sessionId: 7, error: { message: 'disk full', code: 'ENOSPC' } },
};

describe('log line', () => {
  it('is copied as JSON with all fields', () =>
    expect(JSON.parse(formatLine(item))).toEqual({
      time: '2026-11-28T14:30:00.000Z',
      level: 'warn',
      msg: 'Not stored',
      sessionId: 7,
      error: { message: 'disk full', code: 'ENOSPC' },
    }));

  it('contains no time when the source line has none', () =>
    expect(formatLine({ ...item, atEpoch: null, fields: {} })).toBe('{"level":"warn","msg":"Not stored"}'));

  it('shows its fields in a short form with only the message of an error', () =>
    expect(formatFields(item.fields)).toBe('sessionId=7  error=disk full'));

  it('shows values of other types as text', () => {
    expect(textOf(undefined)).toBe('');
    expect(textOf({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('accepts only a calendar date as its day', () => {
    expect(dayOf('2026-11-28')).toBe('2026-11-28');
    for (const text of ['x', '2026-13-01', '2026-11-28T12', undefined]) expect(dayOf(text)).toBeUndefined();
  });

  it('accepts only known levels', () => {
    expect(levelOf('warn')).toBe('warn');
    expect(levelOf('fatal')).toBeNull();
    expect(levelOf(undefined)).toBeNull();
  });
});
