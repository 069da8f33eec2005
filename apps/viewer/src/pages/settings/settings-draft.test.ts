import { expect, it } from 'vitest';
import type { SettingItem } from '../../settings-form/settings-query.js';
import {
  draftedChanges,
  EMPTY_DRAFT,
  matching,
  shownOf,
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

it('a reset takes the key out of the file, and shows the default until then', () => {
  const draft = withReset(withEntered(EMPTY_DRAFT, size.key, '7'), size.key);
  expect(draftedChanges([size], draft)).toEqual({ changes: { [size.key]: null }, problems: {} });
  expect(shownOf(size, draft)).toBe('20');
});

it('what is typed after a reset is what counts', () => {
  const draft = withEntered(withReset(EMPTY_DRAFT, size.key), size.key, '7');
  expect(draftedChanges([size], draft).changes).toEqual({ [size.key]: 7 });
  expect(shownOf(size, draft)).toBe('7');
});

it('a reset of what is no longer in the file is no change', () => {
  const draft = withReset(EMPTY_DRAFT, size.key);
  expect(draftedChanges([item({ source: 'default', value: 20 })], draft).changes).toEqual({});
});

it('a secret is kept, replaced or removed; its masked text is never sent', () => {
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

it('settings are found by all words, wherever they stand', () => {
  expect(matching([size, secret], 'gemini key')).toEqual([secret]);
  expect(matching([size, secret], 'OBSERVER batch')).toEqual([size]);
  expect(matching([size, secret], 'batch gemini')).toEqual([]);
  expect(matching([size, secret], ' ')).toHaveLength(2);
});
