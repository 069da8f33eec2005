export { findDataDir, type FindDataDirOptions } from './find-data-dir.js';
export { loadSettings, type LoadedSettings, type LoadSettingsOptions } from './load-settings.js';
export { changeSettings, checkChanges, type CheckedChanges, type RefusedChange } from './change-settings.js';
export { isMasked, maskSettings, settingsByKey } from './mask-settings.js';
export { OBSERVER_SETTINGS } from './definitions/observer-settings.js';
export type { SettingDefinition } from './definitions/setting-definition.js';
export {
  findSetting,
  SETTING_GROUPS,
  SETTINGS,
  type SettingKey,
  type SettingValue,
  type Settings,
} from './setting-definitions.js';
export { settingForm, type SettingForm } from './setting-form.js';
export { SETTINGS_FILE_ONLY } from './settings-file-only.js';
export { applySettingChanges } from './apply-setting-changes.js';
export { dataPaths, expandPath, type DataPaths } from './data-paths.js';
export { isExcluded } from './is-excluded.js';
export { missingForObserver, modelOfObserver, observerChain, type MissingSetting } from './observer-setup.js';
export { missingForEmbedder } from './embedder-setup.js';
export { usageLimitsOf } from './usage-limits.js';
export { loadMode, typeEmojis } from './load-mode.js';
export type { Mode } from './modes/mode.js';
export { SettingsError, type SettingsErrorCode } from './settings-error.js';
