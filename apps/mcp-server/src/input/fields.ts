import { InputError } from './input-error.js';

/** One argument of a tool: its schema for clients, and its parser. */
export interface Field<Value> {
  schema: Readonly<Record<string, unknown>> & { type: string; description: string };
  isRequired?: boolean;
  /** Parses a value; `undefined` is a missing argument. @throws InputError */
  read(value: unknown, name: string): Value;
}

const MAX_TEXT_LENGTH = 2_000;
const MAX_LIST_LENGTH = 20_000;
const MAX_WORD_LENGTH = 400;
const MAX_WORDS = 20;
const MAX_SENTENCE_LENGTH = 4_000;
const MAX_SENTENCES = 50;
const MAX_IDS = 100;

/** Creates a text field. Longer texts are cut to `maxLength` UTF-16 code units. Accepts numbers. */
export function text(description: string, maxLength = MAX_TEXT_LENGTH): Field<string | undefined> {
  return {
    schema: { type: 'string', description },
    read: (value, name) => {
      const read = toText(value, name)?.slice(0, maxLength).toWellFormed().trim();
      return read === '' ? undefined : read;
    },
  };
}

/** Creates a required text field. */
export function requiredText(description: string, maxLength = MAX_TEXT_LENGTH): Field<string> {
  const field = text(description, maxLength);
  return {
    schema: field.schema,
    isRequired: true,
    read: (value, name) => {
      const read = field.read(value, name);
      if (read === undefined) throw new InputError(`${name} is required: ${lowerFirst(description)}`);
      return read;
    },
  };
}

/** Creates an integer field. Values outside the bounds are moved to the nearest bound. Invalid values give `defaultValue`. */
export function count(
  description: string,
  { min, max, defaultValue }: { min: number; max: number; defaultValue: number },
): Field<number> {
  return {
    schema: { type: 'integer', description, minimum: min, maximum: max, default: defaultValue },
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) return defaultValue;
      return Math.min(max, Math.max(min, Math.trunc(number)));
    },
  };
}

/** Creates a field with one of the given words as its value. */
export function choice<const Word extends string>(
  description: string,
  words: readonly Word[],
  defaultValue: Word,
): Field<Word> {
  return {
    schema: { type: 'string', description, enum: words, default: defaultValue },
    read: (value, name) => {
      const read = toText(value, name)?.trim().toLowerCase() ?? '';
      if (read === '') return defaultValue;
      // accepts "observation" for "observations"
      const word = words.find((one) => one === read || one === `${read}s`);
      if (word === undefined) throw new InputError(`${name} must be one of: ${words.join(', ')}.`);
      return word;
    },
  };
}

/** Creates a boolean field. Accepts words such as "yes". */
export function flag(description: string): Field<boolean> {
  return {
    schema: { type: 'boolean', description, default: false },
    read: (value, name) => {
      const word = String(value ?? '').trim();
      if (/^(?:true|yes|1)$/i.test(word)) return true;
      if (/^(?:false|no|0)?$/i.test(word)) return false;
      throw new InputError(`${name} must be true or false`);
    },
  };
}

/** Creates a field for several words: a list, a list as JSON text, or a text with commas. */
export function words(description: string): Field<readonly string[] | undefined> {
  return {
    schema: { type: 'array', items: { type: 'string' }, description },
    read: (value, name) => {
      const read = toList(value, name)
        .map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed().trim())
        .filter((word) => word !== '');
      return read.length === 0 ? undefined : [...new Set(read)].slice(0, MAX_WORDS);
    },
  };
}

/** Creates a field for several of the known words. Accepts the same forms as `words`. */
export function choices<const Word extends string>(
  description: string,
  known: readonly Word[],
): Field<readonly Word[] | undefined> {
  const field = words(description);
  return {
    schema: { type: 'array', items: { type: 'string', enum: known }, description },
    read: (value, name) =>
      field.read(value, name)?.map((given) => {
        const read = given.toLowerCase().replace(/[\s_]+/g, '-');
        const word = known.find((one) => one === read);
        if (word === undefined) throw new InputError(`${name} must be some of: ${known.join(', ')}.`);
        return word;
      }),
  };
}

/** Creates a field for sentences: a list, a list as JSON text, or a text that is one sentence. */
export function sentences(description: string): Field<readonly string[] | undefined> {
  return {
    schema: { type: 'array', items: { type: 'string' }, description },
    read: (value, name) => {
      const items =
        typeof value === 'string' && parseJsonList(value) === null ? [value] : toList(value, name);
      const read = items
        .map((item) => item.slice(0, MAX_SENTENCE_LENGTH).toWellFormed().trim())
        .filter((item) => item !== '');
      return read.length === 0 ? undefined : read.slice(0, MAX_SENTENCES);
    },
  };
}

export interface RecordId {
  kind: 'observation' | 'summary' | 'prompt';
  id: number;
}

const KINDS = { '': 'observation', S: 'summary', P: 'prompt' } as const;

/** Creates a field for ids, such as 12, "#12", "S12", [1, 2], "[1,2]" or "1, 2". Removes duplicates. */
export function optionalIds(description: string): Field<readonly RecordId[]> {
  return {
    schema: { type: 'array', items: { type: 'string' }, maxItems: MAX_IDS, description },
    read: (value, name) => {
      const read = toList(value, name)
        .flatMap((word) => word.split(/[\s,;]+/))
        .filter((word) => word !== '')
        .map((word) => parseId(word, name));
      if (read.length > MAX_IDS) throw new InputError(`${name} takes at most ${MAX_IDS} ids at once.`);
      return [...new Map(read.map((one) => [`${one.kind} ${one.id}`, one])).values()];
    },
  };
}

/** Creates a field for at least one id. */
export function ids(description: string): Field<readonly RecordId[]> {
  const field = optionalIds(description);
  return {
    schema: { ...field.schema, minItems: 1 },
    isRequired: true,
    read: (value, name) => {
      const read = field.read(value, name);
      if (read.length === 0) throw new InputError(`${name} needs at least one id, such as [12, 13].`);
      return read;
    },
  };
}

/** Creates a field for the number of a session, or its id in the host. */
export function sessionId(description: string): Field<string | undefined> {
  return {
    schema: { type: 'string', description },
    read: (value, name) => {
      const read = toText(value, name)?.slice(0, 500).trim() ?? '';
      const bare = read.replace(/^(?:session\s+|#)(?=\d+$)/i, '');
      return bare === '' ? undefined : bare;
    },
  };
}

function parseId(word: string, name: string): RecordId {
  const [, letter = '', digits = ''] = /^#?([SP]?)#?(\d{1,15})$/i.exec(word) ?? [];
  const id = Number(digits);
  if (id < 1) {
    const shown = JSON.stringify(word.slice(0, 40).toWellFormed());
    throw new InputError(`${name}: ${shown} is not an id. Ids are numbers such as 12 or "#12".`);
  }
  return { kind: KINDS[letter.toUpperCase() as keyof typeof KINDS], id };
}

function toText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new InputError(`${name} must be text.`);
}

function toList(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string')
    return parseJsonList(value)?.map(String) ?? value.slice(0, MAX_LIST_LENGTH).split(',');
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  return items.slice(0, 1_000).map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return String(item);
    throw new InputError(`${name} must be a list of plain values.`);
  });
}

/** Returns null when the text is not a JSON list of texts and numbers. */
function parseJsonList(text: string): (string | number)[] | null {
  if (!/^\s*\[/.test(text) || text.length > MAX_LIST_LENGTH) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => ['string', 'number'].includes(typeof item))
      ? (parsed as (string | number)[])
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
