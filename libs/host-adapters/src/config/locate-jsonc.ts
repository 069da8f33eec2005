import type { JsonMember, JsonNode } from '@claude-mem/core/json-text';
import { placeIn } from './place-in.js';

const MAX_DEPTH = 256;
// one part each: a pattern that repeats parts runs out of stack on a few million signs
const BLANK = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\//y;
const SPACE = /[ \t\r\n]+/y;
const REMARK = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^]*?\*\/)/y;
// eslint-disable-next-line no-control-regex -- JSON forbids them in texts
const STRING_PART = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** The values of a text, and where it first goes beyond JSON; null where it does not. */
export interface LocatedJsonc {
  root: JsonNode;
  comment: number | null;
  trailingComma: number | null;
}

/**
 * Finds every value of a JSON text that may have comments, commas after the last element and a byte-order mark, to change it in
 * place. The problem names line and column of what is wrong.
 */
export function locateJsonc(text: string): LocatedJsonc | { problem: string } {
  let failedAt = 0;
  let comment: number | null = null;
  let trailingComma: number | null = null;
  const skip = (at: number) => {
    const end = skipBlank(text, at);
    const slash = comment === null ? text.slice(at, end).indexOf('/') : -1;
    if (slash >= 0) comment = at + slash;
    return end;
  };
  const fail = (at: number) => {
    failedAt = Math.max(failedAt, at);
    return null;
  };

  const valueAt = (at: number, depth: number): JsonNode | null => {
    const first = text[at];
    if (depth > MAX_DEPTH) return fail(at);
    if (first === '{') return objectAt(at, depth);
    if (first === '[') return arrayAt(at, depth);
    const end = stringEnd(text, at) ?? match(SCALAR, text, at);
    return end === null ? fail(at) : { kind: 'scalar', start: at, end };
  };

  const objectAt = (start: number, depth: number): JsonNode | null => {
    const members: JsonMember[] = [];
    const end = elements(start, '}', (at) => {
      const keyEnd = stringEnd(text, at);
      if (keyEnd === null) return fail(at);
      const colon = skip(keyEnd);
      if (text[colon] !== ':') return fail(colon);
      const value = valueAt(skip(colon + 1), depth + 1);
      if (!value) return null;
      members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, end: value.end, value });
      return value.end;
    });
    return end === null ? null : { kind: 'object', start, end, members };
  };

  const arrayAt = (start: number, depth: number): JsonNode | null => {
    const items: JsonNode[] = [];
    const end = elements(start, ']', (at) => {
      const item = valueAt(at, depth + 1);
      if (item) items.push(item);
      return item?.end ?? null;
    });
    return end === null ? null : { kind: 'array', start, end, items };
  };

  /** Reads elements up to the closing bracket; gives the place after it. */
  const elements = (
    start: number,
    closing: string,
    readOne: (at: number) => number | null,
  ): number | null => {
    let at = skip(start + 1);
    while (text[at] !== closing) {
      const end = readOne(at);
      if (end === null) return null;
      at = skip(end);
      if (text[at] === ',') {
        const comma = at;
        at = skip(at + 1);
        if (text[at] === closing) trailingComma ??= comma;
      } else if (text[at] !== closing) return fail(at);
    }
    return at + 1;
  };

  const root = valueAt(skip(text.startsWith('\ufeff') ? 1 : 0), 0);
  const end = root && skip(root.end);
  if (root && end === text.length) return { root, comment, trailingComma };
  return { problem: `is not valid JSON at ${placeIn(text, end ?? failedAt)}` };
}

/** The next place that is neither space nor comment. */
export function skipBlank(text: string, at: number): number {
  let end = at;
  for (let next: number | null = at; next !== null; next = match(BLANK, text, end)) end = next;
  return end;
}

/** The end of the remarks that begin on the line of a place, before anything else. */
export function skipRemarks(text: string, at: number): number {
  let end = at;
  for (let next: number | null = at; next !== null; next = match(REMARK, text, end)) end = next;
  return end;
}

/** Where the space begins that stands right before a place, behind remarks and commas; and whether a remark there needs its line's end. */
export function spaceBehindRemarks(
  text: string,
  from: number,
  to: number,
): { start: number; isLine: boolean } {
  let [at, start, isLine] = [from, from, false];
  while (at < to) {
    const space = match(SPACE, text, at);
    if (space !== null) at = space;
    else {
      isLine = text.startsWith('//', at);
      at = start = match(REMARK, text, at) ?? at + 1;
    }
  }
  return { start, isLine };
}

function stringEnd(text: string, start: number): number | null {
  if (text[start] !== '"') return null;
  let end: number | null = start + 1;
  while (end !== null && text[end] !== '"') end = match(STRING_PART, text, end);
  return end === null ? null : end + 1;
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** What a located value says. */
export function readNode(text: string, node: JsonNode): unknown {
  if (node.kind === 'scalar') return JSON.parse(text.slice(node.start, node.end));
  if (node.kind === 'array') return node.items.map((item) => readNode(text, item));
  return Object.fromEntries(node.members.map(({ key, value }) => [key, readNode(text, value)]));
}
