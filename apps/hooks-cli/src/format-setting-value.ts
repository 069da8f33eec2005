/** Formats the value of a setting for the terminal. A list has commas between its items. */
export const formatSettingValue = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');
