import type { SettingDefinition } from './definitions/setting-definition.js';
import { readSetting } from './read-setting.js';
import { SETTINGS, type Settings, type SettingValue } from './setting-definitions.js';

/**
 * Returns the settings with changes applied, for a preview.
 * @param changes changes that `checkChanges` allows; null restores the default
 */
export function applySettingChanges(
  settings: Settings,
  changes: Readonly<Record<string, unknown>>,
): Settings {
  const changed: Record<string, SettingValue> = { ...settings };
  for (const definition of SETTINGS as readonly SettingDefinition[]) {
    if (!Object.hasOwn(changes, definition.key)) continue;
    const reading = readSetting(definition, changes[definition.key]);
    changed[definition.property] = reading.kind === 'value' ? reading.value : definition.default;
  }
  return changed as unknown as Settings;
}
