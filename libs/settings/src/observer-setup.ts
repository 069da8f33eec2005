import { OBSERVER_NAMES, PROVIDER_ROWS, type ObserverName } from '@claude-mem/core';
import { SETTINGS, type SettingKey, type Settings } from './setting-definitions.js';

/** A setting without which an observer cannot work. */
export interface MissingSetting {
  key: SettingKey;
  /** Completes a sentence that begins with the observer's name. */
  what: string;
  /** The command that sets it. */
  fix: string;
}

/**
 * The observers in the order they are tried, each once. `auto` is the first with a key or an address, else `local`. It never
 * is `claude-code`, which spends the person's own plan and so is only used by its name.
 */
export function observerChain(settings: Settings): readonly ObserverName[] {
  const first =
    settings.provider === 'auto'
      ? (OBSERVER_NAMES.find((name) => isReady(name, settings)) ?? 'local')
      : settings.provider;
  return [...new Set([first, ...(settings.providerFallback as readonly ObserverName[])])];
}

/** The model a person chose for an observer; '' leaves it to the vendor's adapter. */
export function modelOfObserver(name: ObserverName, settings: Settings): string {
  const { modelSetting } = PROVIDER_ROWS[name];
  const own = modelSetting === null ? '' : textOf(modelSetting, settings);
  return own !== '' || name === 'local' || observerChain(settings)[0] !== name ? own : settings.model;
}

/** What has to be set before an observer can work; null when nothing is missing. */
export function missingForObserver(name: ObserverName, settings: Settings): MissingSetting | null {
  const { modelSetting, defaultModel } = PROVIDER_ROWS[name];
  const required = requiredSetting(name);
  if (required !== null && textOf(required.key, settings) === '') {
    const { key, what, example } = required;
    return { key, what, fix: `claude-mem settings set ${[key, example].filter(Boolean).join(' ')}` };
  }
  if (modelSetting === null || defaultModel !== null || modelOfObserver(name, settings) !== '') return null;
  return { key: modelSetting, what: 'has no model', fix: `claude-mem settings set ${modelSetting} NAME` };
}

/** Only an observer that cannot work without a setting shows by it that the user chose it. */
function isReady(name: ObserverName, settings: Settings): boolean {
  const required = requiredSetting(name);
  return required !== null && textOf(required.key, settings) !== '';
}

/** A key has no example, because the command reads the key from the terminal to keep it out of the shell history. */
function requiredSetting(name: ObserverName): { key: SettingKey; what: string; example?: string } | null {
  const row = PROVIDER_ROWS[name];
  if (row.requires === 'key') return { key: row.keySetting, what: 'has no key' };
  if (row.requires === 'address')
    return { key: row.baseUrlSetting, what: 'has no address', example: 'http://127.0.0.1:11434/v1' };
  return null;
}

function textOf(key: SettingKey, settings: Settings): string {
  const definition = SETTINGS.find((setting) => setting.key === key);
  return definition ? String(settings[definition.property]) : '';
}
