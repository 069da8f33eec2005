import { describe, expect, it } from 'vitest';
import { toEntered, changesOf, problemOf } from './entered-settings.js';
import type { SettingItem } from './settings-query.js';

function item(over: Partial<SettingItem>): SettingItem {
  return {
    key: 'CLAUDE_MEM_CONTEXT_TOKENS',
    label: 'Context size',
    group: 'Context',
    description: 'Size of the context.',
    kind: 'integer',
    value: 1_200,
    default: 1_200,
    source: 'default',
    minimum: 0,
    isSecret: false,
    isSettable: true,
    needsRestart: false,
    ...over,
  };
}

const size = item({});
const parts = item({ key: 'PARTS', kind: 'list', choices: ['open', 'pinned'], value: ['open', 'pinned'] });
const notice = item({ key: 'NOTICE', kind: 'boolean', value: true });

describe('changesOf', () => {
  it('returns only changed values, and converts numeric input to numbers', () => {
    const entered = { CLAUDE_MEM_CONTEXT_TOKENS: ' 400 ', PARTS: ['open', 'pinned'], NOTICE: false };
    expect(changesOf([size, parts, notice], entered)).toEqual({
      changes: { CLAUDE_MEM_CONTEXT_TOKENS: 400, NOTICE: false },
      problems: {},
    });
    expect(changesOf([size], { CLAUDE_MEM_CONTEXT_TOKENS: '1200' }).changes).toEqual({});
    expect(changesOf([parts], { PARTS: [] }).changes).toEqual({ PARTS: [] });
  });

  it('excludes invalid values and settings that no longer exist', () => {
    const entered = { CLAUDE_MEM_CONTEXT_TOKENS: 'many', NOTICE: false, GONE: '1' };
    expect(changesOf([size, notice], entered)).toEqual({
      changes: { NOTICE: false },
      problems: { CLAUDE_MEM_CONTEXT_TOKENS: 'Must be a whole number from 0.' },
    });
  });

  it('returns no change when the setting already has the entered value', () => {
    const entered = { CLAUDE_MEM_CONTEXT_TOKENS: '400' };
    expect(changesOf([item({ value: 400 })], entered).changes).toEqual({});
  });
});

describe('problemOf', () => {
  it.each([
    ['0', null],
    ['', 'Must be a whole number from 0.'],
    ['-1', 'Must be a whole number from 0.'],
    ['1.5', 'Must be a whole number from 0.'],
    ['1e400', 'Must be a whole number from 0.'],
  ])('validates the whole number %j with the result: %s', (text, problem) =>
    expect(problemOf(size, text)).toBe(problem),
  );

  it('validates the limits of a range and the allowed choices', () => {
    const share = item({ kind: 'number', minimum: 0, maximum: 1 });
    expect(problemOf(share, '0.5')).toBeNull();
    expect(problemOf(share, '1.5')).toBe('Must be a number from 0 to 1.');
    const choice = item({ kind: 'choice', choices: ['auto', 'true'] });
    expect(problemOf(choice, 'auto')).toBeNull();
    expect(problemOf(choice, 'never')).toBe('Must be one of auto, true.');
  });
});

it('shows the stored value of a setting before it is edited', () => {
  expect(toEntered(size)).toBe('1200');
  expect(toEntered(parts)).toEqual(['open', 'pinned']);
  expect(toEntered(notice)).toBe(true);
  expect(toEntered(item({ kind: 'text', value: null }))).toBe('');
});
