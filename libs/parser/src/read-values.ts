import { toSingleLine, toStorableText, truncate, type Fact } from '@claude-mem/core';
import type { Field, Item } from './block.js';
import { LIMITS } from './limits.js';
import type { ParseIssueCode } from './parse-issue.js';

export type Report = (code: ParseIssueCode, message: string, offset: number) => void;

const EMPTY_VALUE =
  /^[\s([<*_`]*(?:null|none|undefined|n\/?a|not applicable|nil|nothing|-+|\.+|…)[\s)\]>.*_`]*$/i;

/** Reads one line of text, or null when the field is empty. */
export function readLine(field: Field, limit: number, report: Report): string | null {
  return limitLength(toSingleLine(toStorableText(field.text)), limit, field, report);
}

/** Reads text of several lines, or null when the field is empty. */
export function readParagraphs(field: Field, limit: number, report: Report): string | null {
  const text = toStorableText(field.text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // eslint-disable-next-line no-control-regex -- control characters other than tab and line feed are what is removed
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');
  return limitLength(text.trim(), limit, field, report);
}

/**
 * Reads the items of a list from elements, a JSON array, bullets or lines.
 * @param isByComma true to also split at commas
 */
function readItems(field: Field, isByComma = false): readonly Item[] {
  const plain = () => readJsonArray(field.text) ?? readPlainItems(field.text, isByComma);
  const items = field.items ?? plain().map((text) => ({ text, origin: null }));
  const lines = items.map(({ text, origin }) => ({ text: toSingleLine(toStorableText(text)), origin }));
  return uniqueByText(lines.filter(({ text }) => !isNothing(text)));
}

/** Returns the first item of each text. */
export function uniqueByText<Entry extends { text: string }>(items: readonly Entry[]): readonly Entry[] {
  const known = new Set<string>();
  return items.filter(({ text }) => known.size < known.add(text).size);
}

/** S06: a reply can claim only origins that the caller verifies. */
export function readFacts(field: Field, report: Report): readonly Fact[] {
  return limitCount(readItems(field), LIMITS.facts, field, report).map(({ text, origin }) => {
    if (text.length > LIMITS.fact) report('too-long', 'A fact is too long and was truncated.', field.offset);
    return {
      text: truncate(text, LIMITS.fact),
      origin: origin === 'user' || origin === 'evidence' ? origin : 'agent',
    };
  });
}

/** Reads short tags. Models often write `gotcha: needs a lock`; the concept is then `gotcha`. */
export function readConcepts(
  field: Field,
  concepts: readonly { id: string }[],
  report: Report,
): readonly string[] {
  const found = readItems(field, true).flatMap(({ text }) => {
    const slug = toSlug(text);
    const known = concepts.find(({ id }) => slug === id || slug.startsWith(`${id}-`));
    const concept = known?.id ?? toSlug(text.split(':')[0] ?? '');
    return concept !== '' && concept.length <= LIMITS.concept ? [concept] : [];
  });
  return limitCount([...new Set(found)], LIMITS.concepts, field, report);
}

export function readFiles(field: Field, report: Report): readonly string[] {
  const files = readItems(field, true)
    .map(({ text }) =>
      text
        .replace(/^[-*]\s+/, '')
        .replace(/^(["'`])(.*)\1$/, '$2')
        .replace(/^\.\/+/, '')
        .trim(),
    ) // prettier-ignore
    .filter((file) => file !== '' && file.length <= LIMITS.file);
  return limitCount([...new Set(files)], LIMITS.files, field, report);
}

const isNothing = (text: string) => text === '' || (text.length < 40 && EMPTY_VALUE.test(text));

export function toSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function limitLength(text: string, limit: number, field: Field, report: Report): string | null {
  if (isNothing(text)) return null;
  if (text.length > limit)
    report('too-long', `The field ${field.name} is too long and was truncated.`, field.offset);
  return truncate(text, limit);
}

function limitCount<Entry>(
  items: readonly Entry[],
  limit: number,
  field: Field,
  report: Report,
): readonly Entry[] {
  if (items.length > limit)
    report(
      'too-many',
      `The field ${field.name} has ${items.length} items. Only the first ${limit} are used.`,
      field.offset,
    );
  return items.slice(0, limit);
}

function readJsonArray(json: string): readonly string[] | null {
  const text = json.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readPlainItems(text: string, isByComma: boolean): readonly string[] {
  return text
    .split(isByComma ? /[\n,]/ : '\n')
    .map((line) => line.trim().replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/, ''));
}
