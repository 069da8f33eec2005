import type { SettingItem } from './settings-query.js';

/** Value in the control of a setting. A number is the typed text. */
export type Entered = string | boolean | readonly string[];
export type EnteredSettings = Readonly<Record<string, Entered>>;

export interface SettingChanges {
  /** Values that differ from the stored values. */
  changes: Record<string, string | number | boolean | string[]>;
  /** Problems with entered values, by key. */
  problems: Record<string, string>;
}

/** Returns the initial value of a control. */
export function toEntered({ kind, value }: Pick<SettingItem, 'kind' | 'value'>): Entered {
  if (typeof value === 'boolean' || Array.isArray(value)) return value;
  if (kind === 'boolean') return false;
  return kind === 'list' ? [] : String(value ?? '');
}

/** Splits entered values into changes and problems. Ignores keys that are no longer settings. */
export function changesOf(items: readonly SettingItem[], entered: EnteredSettings): SettingChanges {
  const found: SettingChanges = { changes: {}, problems: {} };
  for (const item of items) {
    const { key, kind, value: before } = item;
    const raw = entered[key];
    if (raw === undefined) continue;
    const problem = problemOf(item, raw);
    if (problem !== null) found.problems[key] = problem;
    else {
      const value = kind === 'integer' || kind === 'number' ? Number(raw) : plain(raw);
      if (!isSame(value, before)) found.changes[key] = value;
    }
  }
  return found;
}

/** Validates a value without a request, with the messages of the worker. Returns null when it is valid. */
export function problemOf(
  { kind, minimum = 0, maximum, choices }: SettingItem,
  entered: Entered,
): string | null {
  if (kind === 'choice' && choices?.some((choice) => choice === entered) === false)
    return `Must be one of ${choices.join(', ')}.`;
  if (kind !== 'integer' && kind !== 'number') return null;
  const text = String(entered).trim();
  const value = Number(text);
  const isFit = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (text !== '' && isFit && value >= minimum && value <= (maximum ?? Infinity)) return null;
  const noun = kind === 'integer' ? 'a whole number' : 'a number';
  return `Must be ${noun} from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}.`;
}

const plain = (entered: Entered) =>
  typeof entered === 'string' || typeof entered === 'boolean' ? entered : [...entered];
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
