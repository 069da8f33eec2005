import { OBSERVER_NAMES, PROVIDER_ROWS, type ObserverName } from '@claude-mem/core';
import { SETTINGS, type SettingKey, type Settings } from './setting-definitions.js';

/** A required setting that is not set. */
export interface MissingSetting {
  key: SettingKey;
  /** Continues a sentence that begins with the name of the observer or embedder. */
  reason: string;
  /** Command that sets the setting. */
  fix: string;
}

/**
 * Returns the observers in the order in which they are tried. `auto` selects the first observer with a key or an address, otherwise
 * `local`. `auto` never selects `claude-code`, because it uses the paid plan of the user.
 */
export function observerChain(settings: Settings): readonly ObserverName[] {
  const first =
    settings.provider === 'auto'
      ? (OBSERVER_NAMES.find((name) => isReady(name, settings)) ?? 'local')
      : settings.provider;
  return [...new Set([first, ...(settings.providerFallback as readonly ObserverName[])])];
}

/** Returns the configured model of an observer. Empty when the provider uses its default model. */
export function modelOfObserver(name: ObserverName, settings: Settings): string {
  const { modelSetting } = PROVIDER_ROWS[name];
  const own = modelSetting === null ? '' : readText(modelSetting, settings);
  return own !== '' || name === 'local' || observerChain(settings)[0] !== name ? own : settings.model;
}

/** Returns the setting that an observer needs, or null when none is missing. */
export function missingForObserver(name: ObserverName, settings: Settings): MissingSetting | null {
  const { modelSetting, defaultModel } = PROVIDER_ROWS[name];
  const required = findRequiredSetting(name);
  if (required !== null && readText(required.key, settings) === '') {
    const { key, reason, example } = required;
    return { key, reason, fix: `claude-mem settings set ${[key, example].filter(Boolean).join(' ')}` };
  }
  if (modelSetting === null || defaultModel !== null || modelOfObserver(name, settings) !== '') return null;
  return { key: modelSetting, reason: 'has no model', fix: `claude-mem settings set ${modelSetting} NAME` };
}

/** Whether the user set the required key or address. Observers without a required setting are never selected by `auto`. */
function isReady(name: ObserverName, settings: Settings): boolean {
  const required = findRequiredSetting(name);
  return required !== null && readText(required.key, settings) !== '';
}

/** A key has no example, because the command reads the key from the terminal to keep it out of the shell history. */
function findRequiredSetting(
  name: ObserverName,
): { key: SettingKey; reason: string; example?: string } | null {
  const row = PROVIDER_ROWS[name];
  if (row.requires === 'key') return { key: row.keySetting, reason: 'has no key' };
  if (row.requires === 'address')
    return { key: row.baseUrlSetting, reason: 'has no address', example: 'http://127.0.0.1:11434/v1' };
  return null;
}

function readText(key: SettingKey, settings: Settings): string {
  const definition = SETTINGS.find((setting) => setting.key === key);
  return definition ? String(settings[definition.property]) : '';
}
