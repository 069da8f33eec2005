import { CONTEXT_FILES_SETTINGS, CONTEXT_SETTINGS } from './definitions/context-settings.js';
import { OBSERVER_SETTINGS } from './definitions/observer-settings.js';
import { BUDGET_SETTINGS, OBSERVING_SETTINGS } from './definitions/observing-settings.js';
import { SEARCH_SETTINGS } from './definitions/search-settings.js';
import { CAPTURE_SETTINGS, SERVICE_SETTINGS } from './definitions/service-settings.js';
import type { SettingDefinition } from './definitions/setting-definition.js';

/** Groups of settings in display order. */
export const SETTING_GROUPS = [
  { name: 'Observer', settings: OBSERVER_SETTINGS },
  { name: 'Recording', settings: OBSERVING_SETTINGS },
  { name: 'Budget', settings: BUDGET_SETTINGS },
  { name: 'Context', settings: CONTEXT_SETTINGS },
  { name: 'Context files', settings: CONTEXT_FILES_SETTINGS },
  { name: 'Search', settings: SEARCH_SETTINGS },
  { name: 'Capture', settings: CAPTURE_SETTINGS },
  { name: 'Worker', settings: SERVICE_SETTINGS },
] as const satisfies readonly { name: string; settings: readonly SettingDefinition[] }[];

/** All settings in display order. Only these definitions contain defaults. */
export const SETTINGS = [
  ...OBSERVER_SETTINGS,
  ...OBSERVING_SETTINGS,
  ...BUDGET_SETTINGS,
  ...CONTEXT_SETTINGS,
  ...CONTEXT_FILES_SETTINGS,
  ...SEARCH_SETTINGS,
  ...CAPTURE_SETTINGS,
  ...SERVICE_SETTINGS,
] as const satisfies readonly SettingDefinition[];

type Definition = (typeof SETTINGS)[number];

/** Name of a setting in the environment and in settings.json. */
export type SettingKey = Definition['key'];

type ValueOf<D extends SettingDefinition> = D extends { type: 'flag' }
  ? boolean
  : D extends { type: 'count' | 'amount' }
    ? number
    : D extends { type: 'list'; choices: readonly (infer Choice)[] }
      ? readonly Choice[]
      : D extends { type: 'list' | 'globs' }
        ? readonly string[]
        : D extends { type: 'choice'; choices: readonly (infer Choice)[] }
          ? Choice
          : string;

/** The values of all settings by property name. */
export type Settings = { readonly [D in Definition as D['property']]: ValueOf<D> };

/** A value of any setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** Returns the definition of a key, or undefined when the key is not a setting. */
export function findSetting(key: string): SettingDefinition | undefined {
  return SETTINGS.find((definition) => definition.key === key);
}
