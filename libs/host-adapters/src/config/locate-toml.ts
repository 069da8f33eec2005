import { isRecord } from '@claude-mem/core';
import { parse } from 'smol-toml';

/** A header or a pair of a TOML file. `end` is after its line end. */
export interface TomlStatement {
  start: number;
  end: number;
  /** The complete key from the root. */
  path: readonly string[];
  /** The range of a pair's value. Null for a header. */
  value: { start: number; end: number } | null;
}

const OPENING = '[{';
const CLOSING = ']}';
const STRINGS = ['"""', "'''", '"', "'"] as const;

/** Finds the headers and pairs of valid TOML text, for changes in place. */
export function locateToml(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const { equals, valueEnd, end } = readStatement(text, start);
    at = end;
    const content = text.slice(start, valueEnd).trim();
    if (content === '') continue;
    const isHeader = equals === null;
    if (isHeader) table = keysOf(content);
    const path = isHeader ? table : [...table, ...keysOf(`${text.slice(start, equals)} = 0`)];
    statements.push({ start, end, path, value: isHeader ? null : trimmed(text, equals + 1, valueEnd) });
  }
  return statements;
}

/** From the start of a line to the end of the last line that belongs to it. */
function readStatement(text: string, start: number) {
  let [equals, valueEnd, depth]: [number | null, number | null, number] = [null, null, 0];
  let at = start;
  while (at < text.length) {
    const sign = text.charAt(at);
    const quote = STRINGS.find((candidate) => text.startsWith(candidate, at));
    if (quote !== undefined) {
      at = endOfString(text, at, quote);
      continue;
    }
    if (sign === '#') {
      if (depth === 0) valueEnd ??= at;
      at = endOfLine(text, at);
      continue;
    }
    if (sign === '\n' && depth === 0) break;
    if (sign === '=') equals ??= at;
    if (OPENING.includes(sign)) depth += 1;
    if (CLOSING.includes(sign)) depth -= 1;
    at += 1;
  }
  return { equals, valueEnd: valueEnd ?? at, end: Math.min(at + 1, text.length) };
}

function endOfString(text: string, start: number, quote: string): number {
  let at = start + quote.length;
  while (at < text.length && !text.startsWith(quote, at)) at += text[at] === '\\' && quote[0] === '"' ? 2 : 1;
  at += quote.length;
  // Up to two quotes may precede the three closing ones.
  if (quote.length === 3) while (text[at] === quote[0]) at += 1;
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The keys of a header or of a pair, as the parser reads them. */
function keysOf(statement: string): string[] {
  const keys: string[] = [];
  for (let value: unknown = parse(statement); isRecord(value);) {
    const [key] = Object.keys(value);
    if (key === undefined) break;
    keys.push(key);
    value = value[key];
  }
  return keys;
}

function trimmed(text: string, start: number, end: number) {
  const inner = text.slice(start, end);
  return { start: start + inner.length - inner.trimStart().length, end: start + inner.trimEnd().length };
}
