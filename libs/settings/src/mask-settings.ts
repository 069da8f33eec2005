import {
  findSetting,
  SETTINGS,
  type SettingKey,
  type SettingValue,
  type Settings,
} from './setting-definitions.js';

const MASK = '****';
const LOOKS_SECRET = /(?:key|token|secret|password|credential)s?$/i;

/** The settings by their key, for showing and for exchange. */
export function settingsByKey(settings: Settings): Record<SettingKey, SettingValue> {
  const entries = SETTINGS.map(({ key, property }) => [key, settings[property]] as const);
  return Object.fromEntries(entries) as Record<SettingKey, SettingValue>;
}

/**
 * The same values with every secret masked, also unknown keys that are named like one, and passwords in addresses. An empty
 * secret stays empty, so that one sees whether it is set. Saving a masked secret changes nothing.
 */
export function maskSettings<Value>(values: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      isSecretKey(key) ? maskValue(value) : maskUser(value),
    ]),
  );
}

/** True for what `maskSettings` shows instead of a secret. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && /^\*{4}.{0,4}$/u.test(value);
}

function isSecretKey(key: string): boolean {
  return findSetting(key)?.isSecret ?? LOOKS_SECRET.test(key);
}

/** What stands before the `@` of an address may be a password. */
function maskUser<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@\s]+@/, `$1${MASK}@`) : value;
}

/** The end of a long secret helps to tell two apart and gives nothing away. */
function maskValue(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '';
  const text = String(value);
  return text.length < 20 ? MASK : `${MASK}${text.slice(-4)}`;
}
