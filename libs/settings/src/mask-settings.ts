import {
  findSetting,
  SETTINGS,
  type SettingKey,
  type SettingValue,
  type Settings,
} from './setting-definitions.js';

const MASK = '****';
const SECRET_NAME = /(?:key|token|secret|password|credential)s?$/i;

/** Returns the values of the settings by key. */
export function settingsByKey(settings: Settings): Record<SettingKey, SettingValue> {
  const entries = SETTINGS.map(({ key, property }) => [key, settings[property]] as const);
  return Object.fromEntries(entries) as Record<SettingKey, SettingValue>;
}

/**
 * Masks secrets, unknown keys that are named like secrets, and passwords in addresses. An empty secret stays empty, which shows that
 * it is not set. `changeSettings` ignores masked secrets.
 */
export function maskSettings<Value>(values: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      isSecretKey(key) ? maskValue(value) : maskCredentials(value),
    ]),
  );
}

/** Whether the value is a masked secret. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && /^\*{4}.{0,4}$/u.test(value);
}

function isSecretKey(key: string): boolean {
  return findSetting(key)?.isSecret ?? SECRET_NAME.test(key);
}

/** The part of an address before `@` can contain a password. */
function maskCredentials<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@\s]+@/, `$1${MASK}@`) : value;
}

/** Shows the last 4 characters of a long secret, so that users can identify it. */
function maskValue(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '';
  const text = String(value);
  return text.length < 20 ? MASK : `${MASK}${text.slice(-4)}`;
}
