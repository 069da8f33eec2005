import { describe, expect, it } from 'vitest';
import { dayOf, fieldsInShort, levelOf, lineOf, textOf } from './log-words.js';

const item = {
  offset: 0,
  atEpoch: Date.UTC(2026, 10, 28, 14, 30),
  level: 'warn' as const,
  message: 'Not stored',
  fields: { sessionId: 7, error: { message: 'disk full', code: 'ENOSPC' } },
};

describe('a line of the log', () => {
  it('is copied as JSON with everything in it', () =>
    expect(JSON.parse(lineOf(item))).toEqual({
      time: '2026-11-28T14:30:00.000Z',
      level: 'warn',
      msg: 'Not stored',
      sessionId: 7,
      error: { message: 'disk full', code: 'ENOSPC' },
    }));

  it('has no time where the line had none', () =>
    expect(lineOf({ ...item, atEpoch: null, fields: {} })).toBe('{"level":"warn","msg":"Not stored"}'));

  it('says what its fields are in short, an error by its message', () =>
    expect(fieldsInShort(item.fields)).toBe('sessionId=7  error=disk full'));

  it('shows odd values as text', () => {
    expect(textOf(undefined)).toBe('');
    expect(textOf({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('takes nothing but a day for a day', () => {
    expect(dayOf('2026-11-28')).toBe('2026-11-28');
    for (const text of ['x', '2026-13-01', '2026-11-28T12', undefined]) expect(dayOf(text)).toBeUndefined();
  });

  it('knows no other levels', () => {
    expect(levelOf('warn')).toBe('warn');
    expect(levelOf('fatal')).toBeNull();
    expect(levelOf(undefined)).toBeNull();
  });
});
