import { isRecord } from '@claude-mem/core';
import {
  isListField,
  OBSERVATION_FIELDS,
  plainName,
  SUMMARY_FIELDS,
  type Block,
  type Field,
  type Item,
} from './block.js';
import { decodeMarkup } from './markup.js';
import type { Report } from './read-values.js';

const MAX_DEPTH = 5;

/**
 * Reads the records of a JSON reply, also with text around the JSON. Returns null when the reply contains no JSON
 * record, and no blocks when it contains an empty list.
 */
export function splitJson(text: string, from: number, report: Report): readonly Block[] | null {
  const { spans, openAt } = findValues(text, from);
  const blocks: Block[] = [];
  let isEmptyAnswer = false;
  for (const { start, end } of spans) {
    const value = parseLoosely(text.slice(start, end));
    const before = blocks.length;
    const found = value === undefined ? 'none' : collect(value, start, 0, blocks);
    isEmptyAnswer ||=
      found === 'empty' &&
      (end - start > 20 || (spans.length === 1 && isOnlyContent(text, from, start, end)));
    if (
      value === undefined &&
      before === blocks.length &&
      RECORD_KEY.test(text.slice(start, Math.min(end, start + 2_000)))
    )
      report('cut-off', 'A JSON record cannot be parsed and was skipped.', start);
  }
  if (blocks.length === 0) return isEmptyAnswer ? [] : null;
  if (openAt !== -1) report('cut-off', 'The JSON of the reply is incomplete.', openAt);
  return blocks;
}

const RECORD_KEY = /"(?:observations?|title|narrative|summary|request)"\s*:/i;

/** `[]` is an answer only when no other text is on its line. */
const isOnlyContent = (text: string, from: number, start: number, end: number) =>
  `${text.slice(from, start)}${text.slice(end)}`.replace(/```\w*/g, '').trim() === '';

/** Finds the outermost complete values in brackets, and the start of an incomplete value, in one pass. */
function findValues(text: string, from: number): { spans: { start: number; end: number }[]; openAt: number } {
  const spans: { start: number; end: number }[] = [];
  const open: number[] = [];
  let isInString = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = open.length > 0;
    else if (sign === '{' || sign === '[') open.push(at);
    else if (sign === '}' || sign === ']') {
      const start = open.at(-1);
      if (start === undefined || text[start] !== (sign === '}' ? '{' : '[')) continue;
      open.pop();
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: at + 1 });
    }
  }
  return { spans, openAt: open[0] ?? -1 };
}

/** Parses JSON with line breaks in strings and trailing commas, as models write it. */
function parseLoosely(text: string): unknown {
  const repaired = () =>
    text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g, (part) =>
      part === ',' ? '' : part.replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t'),
    );
  return parse(text) ?? parse(repaired());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Found = 'records' | 'empty' | 'none';

function collect(value: unknown, offset: number, depth: number, blocks: Block[]): Found {
  if (depth > MAX_DEPTH) return 'none';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'empty';
    const found = value.map((item: unknown) => collect(item, offset, depth + 1, blocks));
    return found.includes('records') ? 'records' : 'none';
  }
  if (!isRecord(value)) return 'none';
  const entries = Object.entries(value).map(([key, item]) => [plainName(key), item] as const);
  if (entries.length === 0) return 'empty';
  const names = new Set(entries.map(([name]) => name));
  if (names.has('title') || names.has('narrative') || names.has('facts')) {
    blocks.push({
      name: 'observation',
      offset,
      fields: readFields(entries, offset, OBSERVATION_FIELDS),
      ...CLOSED_BLOCK,
    });
    return 'records';
  }
  if (names.has('request') || (names.has('completed') && names.has('learned'))) {
    blocks.push({
      name: 'summary',
      offset,
      fields: readFields(entries, offset, SUMMARY_FIELDS),
      ...CLOSED_BLOCK,
    });
    return 'records';
  }
  const found = entries.map(([name, item]) => collectMember(name, item, offset, depth, blocks));
  return found.includes('records') ? 'records' : found.includes('empty') ? 'empty' : 'none';
}

const CLOSED_BLOCK = { prose: '', end: 'closed' } as const;

function collectMember(name: string, item: unknown, offset: number, depth: number, blocks: Block[]): Found {
  if (name === 'observations' || name === 'observation' || name === 'records') {
    return item === null ? 'empty' : collect(item, offset, depth + 1, blocks);
  }
  if (name === 'summary' && isRecord(item)) {
    const fields = readFields(Object.entries(item).map(([key, one]) => [plainName(key), one] as const), offset, SUMMARY_FIELDS); // prettier-ignore
    if (fields.length === 0) return 'empty';
    blocks.push({ name: 'summary', offset, fields, ...CLOSED_BLOCK });
    return 'records';
  }
  if (name === 'summary' && typeof item === 'string') {
    blocks.push({ name: 'summary', offset, fields: [], prose: decodeMarkup(item), end: 'closed' });
    return 'records';
  }
  if (name === 'skipsummary' && item !== null && item !== false) {
    const reason = isRecord(item) ? item['reason'] : item;
    const prose = typeof reason === 'string' ? decodeMarkup(reason) : '';
    blocks.push({ name: 'skipsummary', offset, fields: [], prose, end: 'closed' });
    return 'records';
  }
  return 'none';
}

function readFields(
  entries: readonly (readonly [name: string, value: unknown])[],
  offset: number,
  known: ReadonlySet<string>,
): readonly Field[] {
  return entries.flatMap(([name, value]) => {
    if (!known.has(name)) return [];
    const items = Array.isArray(value) ? value.flatMap(readItem) : null;
    const text = (items ?? readItem(value)).map((item) => item.text).join('\n');
    return [{ name, text, items: isListField(name) ? items : null, offset, isEnded: true }];
  });
}

/** Reads a string, a number, or the first text of an object such as `{ "path": "a.ts" }`, with its origin. */
function readItem(value: unknown): readonly Item[] {
  if (typeof value === 'string') return [{ text: decodeMarkup(value), origin: null }];
  if (typeof value === 'number') return [{ text: String(value), origin: null }];
  if (!isRecord(value)) return [];
  const { origin, ...rest } = value;
  const text = Object.values(rest).find((one) => typeof one === 'string');
  if (text === undefined) return [];
  return [{ text: decodeMarkup(text), origin: typeof origin === 'string' ? origin : null }];
}
