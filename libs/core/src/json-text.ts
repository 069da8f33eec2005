/** A value in a JSON text with its place there. `end` is exclusive. */
export type JsonNode =
  | { kind: 'object'; start: number; end: number; members: readonly JsonMember[] }
  | { kind: 'array'; start: number; end: number; items: readonly JsonNode[] }
  | { kind: 'scalar'; start: number; end: number };

export interface JsonMember {
  key: string;
  /** Of the key's opening quote. */
  start: number;
  /** Of the value. */
  end: number;
  value: JsonNode;
}

type Container = Extract<JsonNode, { kind: 'object' | 'array' }>;

const MAX_DEPTH = 256;

/**
 * Finds every value of a JSON text, to change it in place and leave all other bytes as they are. A byte-order mark before it
 * is skipped. Null when the text is not strict JSON or is nested deeper than 256.
 */
export function locateJson(text: string): JsonNode | null {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  try {
    JSON.parse(text.slice(start));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return locate(text, skipSpace(text, start), 0);
}

/** The member that counts for readers when a key occurs twice: the last one. */
export function findMember(node: JsonNode, key: string): JsonMember | undefined {
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** Replaces the text of one value. */
export function replaceNode(text: string, node: { start: number; end: number }, replacement: string): string {
  return text.slice(0, node.start) + replacement + text.slice(node.end);
}

/**
 * Adds a member or an item at the end of a container, in the style of what surrounds it. `write` makes the text of the new element
 * for the given style. An empty container keeps its inner space after the new element, so that `removeElement` restores it.
 */
export function appendElement(
  text: string,
  container: Container,
  write: (style: JsonStyle) => string,
): string {
  const elements = elementsOf(container);
  const last = elements.at(-1);
  const style = styleAt(text, container);
  if (!last) {
    const at = container.start + 1;
    return text.slice(0, at) + write(style) + text.slice(at);
  }
  const lead = leadingSpace(text, last.start) || (style.lineEnd === '' ? '' : ' ');
  return `${text.slice(0, last.end)},${lead}${write(style)}${text.slice(last.end)}`;
}

/** Takes one element out of a container, with the comma and the space that belonged to it. */
export function removeElement(text: string, container: Container, index: number): string {
  const elements = elementsOf(container);
  const element = elements[index];
  if (!element) return text;
  const previous = elements[index - 1];
  const next = elements[index + 1];
  if (previous) return text.slice(0, previous.end) + text.slice(element.end);
  if (next) return text.slice(0, element.start) + text.slice(next.start);
  return text.slice(0, element.start - leadingSpace(text, element.start).length) + text.slice(element.end);
}

/** How the file is laid out around one container. */
export interface JsonStyle {
  /** `\n`, `\r\n`, or empty when the whole file is on one line. */
  lineEnd: string;
  /** One step of indentation. */
  unit: string;
  /** Indentation of the elements of the container. */
  indent: string;
}

/**
 * A JSON value as text in the style of its surroundings; the first line is not indented. Elements always have space before
 * them, so that containers written here can be told from minified ones.
 */
export function writeJson(value: unknown, style: JsonStyle): string {
  if (style.lineEnd === '') return JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.lineEnd + style.indent);
}

/** The layout of the elements of a container. */
export function styleAt(text: string, container: Container): JsonStyle {
  const isEmpty = text.replace(/\s/g, '').length <= 2;
  const lineEnd = text.includes('\r\n') ? '\r\n' : isEmpty || text.trim().includes('\n') ? '\n' : '';
  const firstIndent = /\n([ \t]+)\S/.exec(text)?.[1];
  const unit = firstIndent ?? '  ';
  const element = elementsOf(container)[0];
  const own = element && leadingSpace(text, element.start);
  if (own?.includes('\n')) return { lineEnd, unit, indent: own.slice(own.lastIndexOf('\n') + 1) };
  const line = text.slice(text.lastIndexOf('\n', container.start) + 1);
  return { lineEnd, unit, indent: (/^[ \t]*/.exec(line)?.[0] ?? '') + unit };
}

/** The white space right before a place. */
export function leadingSpace(text: string, at: number): string {
  let from = at;
  while (from > 0 && isSpace(text.charCodeAt(from - 1))) from -= 1;
  return text.slice(from, at);
}

function elementsOf(container: Container): readonly { start: number; end: number }[] {
  return container.kind === 'object' ? container.members : container.items;
}

/** The text is known to be valid JSON from here on. */
function locate(text: string, start: number, depth: number): JsonNode | null {
  if (depth > MAX_DEPTH) return null;
  const first = text[start];
  if (first === '{') return locateObject(text, start, depth);
  if (first === '[') return locateArray(text, start, depth);
  if (first === '"') return { kind: 'scalar', start, end: endOfString(text, start) };
  let end = start;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',]}'.includes(text.charAt(end))) end += 1;
  return { kind: 'scalar', start, end };
}

function locateObject(text: string, start: number, depth: number): JsonNode | null {
  const members: JsonMember[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const keyEnd = endOfString(text, at);
    const value = locate(text, skipSpace(text, skipSpace(text, keyEnd) + 1), depth + 1);
    if (!value) return null;
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, end: value.end, value });
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { kind: 'object', start, end: at + 1, members };
}

function locateArray(text: string, start: number, depth: number): JsonNode | null {
  const items: JsonNode[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']') {
    const item = locate(text, at, depth + 1);
    if (!item) return null;
    items.push(item);
    at = skipSpace(text, item.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { kind: 'array', start, end: at + 1, items };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (unit: number) => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
