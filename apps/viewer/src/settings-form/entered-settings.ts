import type { SettingItem } from './settings-query.js';

/** What stands in the control of a setting; a number is the text that was typed. */
export type Entered = string | boolean | readonly string[];
export type EnteredSettings = Readonly<Record<string, Entered>>;

export interface SettingChanges {
  /** Only what is other than it is set. */
  changes: Record<string, string | number | boolean | string[]>;
  /** By key: what is wrong with what was entered. */
  problems: Record<string, string>;
}

/** What stands in a control as long as nobody touched it. */
export function asEntered({ kind, value }: Pick<SettingItem, 'kind' | 'value'>): Entered {
  if (typeof value === 'boolean' || Array.isArray(value)) return value;
  if (kind === 'boolean') return false;
  return kind === 'list' ? [] : String(value ?? '');
}

/** Sorts what was entered into changes and mistakes. Keys that are no settings any more are passed over. */
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

/** The check that needs no worker, in the worker's words; null when nothing is wrong. */
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
