import type { SettingDefinition } from './definitions/setting-definition.js';
import type { SettingValue } from './setting-definitions.js';

/** Result of parsing a raw value. `expected` describes valid values. */
export type SettingReading =
  { kind: 'value'; value: SettingValue } | { kind: 'absent' } | { kind: 'wrong'; expected: string };

/**
 * Parses a raw value of the environment or the file. Only null and undefined mean "not set"; zero, false and empty text are values.
 * An empty text means 0 for a number without bounds, an empty list for a list, and "not set" for a flag or a choice.
 */
export function readSetting(definition: SettingDefinition, raw: unknown): SettingReading {
  if (raw === null || raw === undefined) return { kind: 'absent' };
  switch (definition.type) {
    // an invalid address is kept: the fallback to the default would send data to another server
    case 'address':
    case 'text':
    case 'path':
      return readText(raw);
    case 'choice':
      return readChoice(definition.choices ?? [], raw);
    case 'flag':
      return readFlag(raw);
    case 'count':
    case 'amount':
      return readNumber(definition, raw);
    case 'list':
    case 'globs':
      return readList(raw, definition.choices);
  }
}

function readText(raw: unknown): SettingReading {
  if (typeof raw === 'string') return { kind: 'value', value: raw };
  if (typeof raw === 'number' || typeof raw === 'boolean') return { kind: 'value', value: String(raw) };
  return { kind: 'wrong', expected: 'a text' };
}

function readChoice(choices: readonly string[], raw: unknown): SettingReading {
  const word = typeof raw === 'boolean' ? String(raw) : raw;
  if (typeof word === 'string') {
    const choice = word.trim().toLowerCase();
    if (choice === '') return { kind: 'absent' };
    if (choices.includes(choice)) return { kind: 'value', value: choice };
  }
  return { kind: 'wrong', expected: `one of ${choices.join(', ')}` };
}

const FLAG_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

function readFlag(raw: unknown): SettingReading {
  if (typeof raw === 'boolean') return { kind: 'value', value: raw };
  const word = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim().toLowerCase() : null;
  if (word === '') return { kind: 'absent' };
  const value = word !== null && Object.hasOwn(FLAG_WORDS, word) ? FLAG_WORDS[word] : undefined;
  return value === undefined ? { kind: 'wrong', expected: 'true or false' } : { kind: 'value', value };
}

function readNumber(definition: SettingDefinition, raw: unknown): SettingReading {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = definition;
  const kind = definition.type === 'count' ? 'a whole number' : 'a number';
  const expected = `${kind} from ${min}${definition.max === undefined ? '' : ` to ${max}`}`;
  if (typeof raw === 'string' && raw.trim() === '') {
    return min === 0 && definition.max === undefined ? { kind: 'value', value: 0 } : { kind: 'absent' };
  }
  if (typeof raw !== 'number' && typeof raw !== 'string') return { kind: 'wrong', expected };
  const value =
    typeof raw === 'number' ? raw : Number(raw.trim().replaceAll(/(?<=\d)[_,](?=\d{3}(?!\d))/g, ''));
  const isValid = definition.type === 'count' ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isValid && value >= min && value <= max ? { kind: 'value', value } : { kind: 'wrong', expected };
}

function readList(raw: unknown, choices: readonly string[] | undefined): SettingReading {
  const isTexts = Array.isArray(raw) && raw.every((item) => typeof item === 'string');
  if (!isTexts && typeof raw !== 'string')
    return {
      kind: 'wrong',
      expected: Array.isArray(raw) ? 'a list of texts' : 'a list, or texts separated by commas',
    };
  const items = trimItems(isTexts ? raw : splitOutsideBraces(raw as string));
  if (choices === undefined || items.every((item) => choices.includes(item)))
    return { kind: 'value', value: items };
  return { kind: 'wrong', expected: `a list of ${choices.join(', ')}` };
}

const trimItems = (items: readonly string[]) =>
  items.map((item) => item.trim()).filter((item) => item !== '');

/** A comma inside `{a,b}` belongs to the pattern. */
function splitOutsideBraces(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{') depth += 1;
    else if (char === '}') depth = Math.max(0, depth - 1);
    else if ((char === ',' && depth === 0) || char === '\n') {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  items.push(text.slice(from));
  return items;
}
