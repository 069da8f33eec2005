import { asEntered, changesOf, type EnteredSettings } from '../../settings-form/entered-settings.js';
import type { SettingItem } from '../../settings-form/settings-query.js';

/** What was changed on the page and is not saved. */
export interface SettingsDraft {
  entered: EnteredSettings;
  /** Secrets that are replaced; empty: removed. */
  secrets: Readonly<Record<string, string>>;
  /** Go back to their default: out of the file. */
  resets: readonly string[];
}

export const EMPTY_DRAFT: SettingsDraft = { entered: {}, secrets: {}, resets: [] };

export interface DraftedChanges {
  /** As the worker takes them; null takes the key out of the file. */
  changes: Record<string, string | number | boolean | string[] | null>;
  problems: Record<string, string>;
}

/** What there is to save of a draft, measured by what is set now: what was set so elsewhere meanwhile is no change. */
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

/** What a control shows: what was entered, the default where that is gone back to, else what is set. */
export function shownOf(item: SettingItem, draft: SettingsDraft) {
  if (draft.resets.includes(item.key)) return asEntered({ kind: item.kind, value: item.default });
  return draft.entered[item.key] ?? asEntered(item);
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

/** @param secret null: kept as it is */
export function withSecret(draft: SettingsDraft, key: string, secret: string | null): SettingsDraft {
  const secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([name]) => name !== key));
  return { ...draft, secrets: secret === null ? secrets : { ...secrets, [key]: secret } };
}

/** Settings in which every word of `text` stands somewhere: label, key, description, heading or choices. */
export function matching(items: readonly SettingItem[], text: string): SettingItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ label, key, description, group, choices = [] }) => {
    const all = [label, key, description, group, ...choices].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const without = (keys: readonly string[], key: string) => keys.filter((name) => name !== key);
