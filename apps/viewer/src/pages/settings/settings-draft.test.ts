import { expect, it } from 'vitest';
import type { SettingItem } from '../../settings-form/settings-query.js';
import {
  draftedChanges,
  EMPTY_DRAFT,
  findSettings,
  shownValueOf,
  withEntered,
  withReset,
  withSecret,
} from './settings-draft.js';

function item(over: Partial<SettingItem>): SettingItem {
  return {
    key: 'CLAUDE_MEM_BATCH_MAX_SIZE',
    label: 'Batch size',
    group: 'Observer',
    description: 'Most tool uses of one call.',
    kind: 'integer',
    value: 40,
    default: 20,
    source: 'file',
    minimum: 1,
    isSecret: false,
    isSettable: true,
    needsRestart: false,
    ...over,
  };
}

const size = item({});
const secret = item({
  key: 'GEMINI_API_KEY',
  kind: 'secret',
  value: 'AI…9x',
  default: null,
  label: 'Key of Gemini',
});

it('a reset shows the default and removes the key from the file when the draft is saved', () => {
  const draft = withReset(withEntered(EMPTY_DRAFT, size.key, '7'), size.key);
  expect(draftedChanges([size], draft)).toEqual({ changes: { [size.key]: null }, problems: {} });
  expect(shownValueOf(size, draft)).toBe('20');
});

it('a value that is entered after a reset replaces the reset', () => {
  const draft = withEntered(withReset(EMPTY_DRAFT, size.key), size.key, '7');
  expect(draftedChanges([size], draft).changes).toEqual({ [size.key]: 7 });
  expect(shownValueOf(size, draft)).toBe('7');
});

it('a reset changes nothing when the file no longer contains the setting', () => {
  const draft = withReset(EMPTY_DRAFT, size.key);
  expect(draftedChanges([item({ source: 'default', value: 20 })], draft).changes).toEqual({});
});

it('a secret is unchanged, replaced or removed, and its masked text is never sent', () => {
  expect(draftedChanges([secret], EMPTY_DRAFT).changes).toEqual({});
  expect(draftedChanges([secret], withSecret(EMPTY_DRAFT, secret.key, 'new')).changes).toEqual({
    [secret.key]: 'new',
  });
  expect(draftedChanges([secret], withSecret(EMPTY_DRAFT, secret.key, '')).changes).toEqual({
    [secret.key]: null,
  });
  const kept = withSecret(withSecret(EMPTY_DRAFT, secret.key, 'new'), secret.key, null);
  expect(draftedChanges([secret], kept).changes).toEqual({});
});

it('the settings search returns settings that contain all words, in any field', () => {
  expect(findSettings([size, secret], 'gemini key')).toEqual([secret]);
  expect(findSettings([size, secret], 'OBSERVER batch')).toEqual([size]);
  expect(findSettings([size, secret], 'batch gemini')).toEqual([]);
  expect(findSettings([size, secret], ' ')).toHaveLength(2);
});
