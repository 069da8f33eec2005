import type { SettingDefinition } from './definitions/setting-definition.js';
import { SETTING_GROUPS, type SettingValue } from './setting-definitions.js';

/** How a person is asked for a setting. */
export interface SettingForm {
  label: string;
  /** Name of the heading it stands under. */
  group: string;
  kind: 'boolean' | 'integer' | 'number' | 'choice' | 'text' | 'list' | 'secret';
  choices?: readonly string[];
  /** The order of a `list` counts. */
  isOrdered?: true;
  minimum?: number;
  maximum?: number;
  default: SettingValue;
  needsRestart: boolean;
}

export function settingForm(definition: SettingDefinition): SettingForm {
  const { key, label, choices, isOrdered, min = 0, max, default: usual, needsRestart = false } = definition;
  const kind = definition.isSecret ? 'secret' : KINDS[definition.type];
  const isNumber = kind === 'integer' || kind === 'number';
  return {
    label,
    group: groupOf(key),
    kind,
    ...(choices && { choices }),
    ...(isOrdered && { isOrdered }),
    ...(isNumber && { minimum: min }),
    ...(isNumber && max !== undefined && { maximum: max }),
    default: usual,
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

function groupOf(key: string): string {
  const groups: readonly { name: string; settings: readonly SettingDefinition[] }[] = SETTING_GROUPS;
  const group = groups.find(({ settings }) => settings.some((definition) => definition.key === key));
  if (group === undefined) throw new Error(`${key} stands under no heading`);
  return group.name;
}
