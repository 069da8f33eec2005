import type { SettingDefinition } from './definitions/setting-definition.js';
import { SETTING_GROUPS, type SettingValue } from './setting-definitions.js';

/** Form field of a setting. */
export interface SettingForm {
  label: string;
  /** Name of the group. */
  group: string;
  kind: 'boolean' | 'integer' | 'number' | 'choice' | 'text' | 'list' | 'secret';
  choices?: readonly string[];
  /** The order of the items of a `list` is significant. */
  isOrdered?: true;
  minimum?: number;
  maximum?: number;
  default: SettingValue;
  needsRestart: boolean;
}

/** Returns the form field of a setting. */
export function settingForm(definition: SettingDefinition): SettingForm {
  const {
    key,
    label,
    choices,
    isOrdered,
    min = 0,
    max,
    default: defaultValue,
    needsRestart = false,
  } = definition;
  const kind = definition.isSecret ? 'secret' : KINDS[definition.type];
  const isNumber = kind === 'integer' || kind === 'number';
  return {
    label,
    group: findGroup(key),
    kind,
    ...(choices && { choices }),
    ...(isOrdered && { isOrdered }),
    ...(isNumber && { minimum: min }),
    ...(isNumber && max !== undefined && { maximum: max }),
    default: defaultValue,
    needsRestart,
  };
}

const KINDS = {
  text: 'text',
  address: 'text',
  path: 'text',
  flag: 'boolean',
  count: 'integer',
  amount: 'number',
  list: 'list',
  globs: 'list',
  choice: 'choice',
} as const satisfies Record<SettingDefinition['type'], SettingForm['kind']>;

function findGroup(key: string): string {
  const groups: readonly { name: string; settings: readonly SettingDefinition[] }[] = SETTING_GROUPS;
  const group = groups.find(({ settings }) => settings.some((definition) => definition.key === key));
  if (group === undefined) throw new Error(`${key} is in no group of SETTING_GROUPS`);
  return group.name;
}
