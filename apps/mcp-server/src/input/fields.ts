import { InputError } from './input-error.js';

/** One argument of a tool: what a client is told of it, and how whatever came is read. */
export interface Field<Value> {
  schema: Readonly<Record<string, unknown>> & { type: string; description: string };
  isRequired?: boolean;
  /** `undefined`: it was not given. Throws InputError. */
  read(value: unknown, name: string): Value;
}

const LONGEST_TEXT = 2_000;
const LONGEST_LIST = 20_000;
const LONGEST_WORD = 400;
const MOST_WORDS = 20;
const LONGEST_SENTENCE = 4_000;
const MOST_SENTENCES = 50;
const MOST_IDS = 100;

/** Text, cut to `longest`. Numbers are read as their digits. */
export function text(description: string, longest = LONGEST_TEXT): Field<string | undefined> {
  return {
    schema: { type: 'string', description },
    read: (value, name) => {
      const read = textOf(value, name)?.slice(0, longest).toWellFormed().trim();
      return read === '' ? undefined : read;
    },
  };
}

/** Text that has to be given. */
export function requiredText(description: string, longest = LONGEST_TEXT): Field<string> {
  const field = text(description, longest);
  return {
    schema: field.schema,
    isRequired: true,
    read: (value, name) => {
      const read = field.read(value, name);
      if (read === undefined) throw new InputError(`${name} is needed: ${lowerFirst(description)}`);
      return read;
    },
  };
}

/** A whole number within bounds: what is outside is moved to the nearest, what is no number counts as not given. */
export function count(
  description: string,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): Field<number> {
  return {
    schema: { type: 'integer', description, minimum: min, maximum: max, default: otherwise },
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) return otherwise;
      return Math.min(max, Math.max(min, Math.trunc(number)));
    },
  };
}

/** One of some words; another one is refused by name. */
export function choice<const Word extends string>(
  description: string,
  words: readonly Word[],
  otherwise: Word,
): Field<Word> {
  return {
    schema: { type: 'string', description, enum: words, default: otherwise },
    read: (value, name) => {
      const read = textOf(value, name)?.trim().toLowerCase() ?? '';
      if (read === '') return otherwise;
      // "observation" is meant as "observations"
      const word = words.find((one) => one === read || one === `${read}s`);
      if (word === undefined) throw new InputError(`${name} must be one of: ${words.join(', ')}.`);
      return word;
    },
  };
}

/** Yes or no, also written as a word. */
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

/** Several words: a list, a list written as JSON, or one text with commas. */
export function words(description: string): Field<readonly string[] | undefined> {
  return {
    schema: { type: 'array', items: { type: 'string' }, description },
    read: (value, name) => {
      const read = listOf(value, name)
        .map((word) => word.slice(0, LONGEST_WORD).toWellFormed().trim())
        .filter((word) => word !== '');
      return read.length === 0 ? undefined : [...new Set(read)].slice(0, MOST_WORDS);
    },
  };
}

/** Some of a few words, written as `words` are; another one is refused by name. */
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

/** Sentences: a list, a list written as JSON, or one text, which is one sentence. */
export function sentences(description: string): Field<readonly string[] | undefined> {
  return {
    schema: { type: 'array', items: { type: 'string' }, description },
    read: (value, name) => {
      const items = typeof value === 'string' && jsonList(value) === null ? [value] : listOf(value, name);
      const read = items
        .map((item) => item.slice(0, LONGEST_SENTENCE).toWellFormed().trim())
        .filter((item) => item !== '');
      return read.length === 0 ? undefined : read.slice(0, MOST_SENTENCES);
    },
  };
}

/** An id as a record shows it. */
export interface RecordId {
  kind: 'observation' | 'summary' | 'prompt';
  id: number;
}

const KINDS = { '': 'observation', S: 'summary', P: 'prompt' } as const;

/** Ids as people and models write them: 12, "12", "#12", "S12", "P12", [1, 2], "[1,2]", "1, 2"; each once, perhaps none. */
export function optionalIds(description: string): Field<readonly RecordId[]> {
  return {
    schema: { type: 'array', items: { type: 'string' }, maxItems: MOST_IDS, description },
    read: (value, name) => {
      const read = listOf(value, name)
        .flatMap((word) => word.split(/[\s,;]+/))
        .filter((word) => word !== '')
        .map((word) => idOf(word, name));
      if (read.length > MOST_IDS) throw new InputError(`${name} takes at most ${MOST_IDS} ids at once.`);
      return [...new Map(read.map((one) => [`${one.kind} ${one.id}`, one])).values()];
    },
  };
}

/** The same, at least one. */
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

/** The number of a session, or the host's own id of one. */
export function sessionId(description: string): Field<string | undefined> {
  return {
    schema: { type: 'string', description },
    read: (value, name) => {
      const read = textOf(value, name)?.slice(0, 500).trim() ?? '';
      const bare = read.replace(/^(?:session\s+|#)(?=\d+$)/i, '');
      return bare === '' ? undefined : bare;
    },
  };
}

function idOf(word: string, name: string): RecordId {
  const [, letter = '', digits = ''] = /^#?([SP]?)#?(\d{1,15})$/i.exec(word) ?? [];
  const id = Number(digits);
  if (id < 1) {
    const shown = JSON.stringify(word.slice(0, 40).toWellFormed());
    throw new InputError(`${name}: ${shown} is no id. Ids are numbers such as 12 or "#12".`);
  }
  return { kind: KINDS[letter.toUpperCase() as keyof typeof KINDS], id };
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new InputError(`${name} must be text.`);
}

function listOf(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string')
    return jsonList(value)?.map(String) ?? value.slice(0, LONGEST_LIST).split(',');
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  return items.slice(0, 1_000).map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return String(item);
    throw new InputError(`${name} must be a list of plain values.`);
  });
}

/** Null when the text is no list written as JSON. */
function jsonList(written: string): (string | number)[] | null {
  if (!/^\s*\[/.test(written) || written.length > LONGEST_LIST) return null;
  try {
    const parsed: unknown = JSON.parse(written);
    return Array.isArray(parsed) && parsed.every((item) => ['string', 'number'].includes(typeof item))
      ? (parsed as (string | number)[])
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
