import { toEntered, changesOf, type EnteredSettings } from '../../settings-form/entered-settings.js';
import type { SettingItem } from '../../settings-form/settings-query.js';

/** Unsaved changes of the page. */
export interface SettingsDraft {
  entered: EnteredSettings;
  /** New values of secrets. An empty value removes the secret. */
  secrets: Readonly<Record<string, string>>;
  /** Keys to reset to their defaults, by removing them from the file. */
  resets: readonly string[];
}

export const EMPTY_DRAFT: SettingsDraft = { entered: {}, secrets: {}, resets: [] };

export interface DraftedChanges {
  /** Changes for the worker. Null removes the key from the file. */
  changes: Record<string, string | number | boolean | string[] | null>;
  problems: Record<string, string>;
}

/** Returns the changes to save. Values that are already stored are no changes. */
export function draftedChanges(items: readonly SettingItem[], draft: SettingsDraft): DraftedChanges {
  const { changes, problems } = changesOf(items, draft.entered);
  const drafted: DraftedChanges = { changes: { ...changes }, problems };
  for (const { key, source, kind } of items) {
    const secret = draft.secrets[key];
    if (kind === 'secret' && secret !== undefined) drafted.changes[key] = secret === '' ? null : secret;
    if (draft.resets.includes(key) && source === 'file') drafted.changes[key] = null;
  }
  return drafted;
}

/** Returns the value that a control shows: the entered value, the default after a reset, or the stored value. */
export function shownValueOf(item: SettingItem, draft: SettingsDraft) {
  if (draft.resets.includes(item.key)) return toEntered({ kind: item.kind, value: item.default });
  return draft.entered[item.key] ?? toEntered(item);
}

export function withEntered(
  draft: SettingsDraft,
  key: string,
  value: EnteredSettings[string],
): SettingsDraft {
  return { ...draft, entered: { ...draft.entered, [key]: value }, resets: without(draft.resets, key) };
}

export function withReset(draft: SettingsDraft, key: string): SettingsDraft {
  const entered = Object.fromEntries(Object.entries(draft.entered).filter(([name]) => name !== key));
  return { ...draft, entered, resets: [...without(draft.resets, key), key] };
}

/** @param secret null discards the entered value */
export function withSecret(draft: SettingsDraft, key: string, secret: string | null): SettingsDraft {
  const secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([name]) => name !== key));
  return { ...draft, secrets: secret === null ? secrets : { ...secrets, [key]: secret } };
}

/** Returns the settings that contain each word of `text` in their label, key, description, group or choices. */
export function findSettings(items: readonly SettingItem[], text: string): SettingItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ label, key, description, group, choices = [] }) => {
    const all = [label, key, description, group, ...choices].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const without = (keys: readonly string[], key: string) => keys.filter((name) => name !== key);
