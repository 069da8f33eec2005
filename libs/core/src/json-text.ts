import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';

/** The values of a text, and the offsets where it first goes beyond JSON (RFC 8259); null where it does not. */
export interface LocatedJson {
  root: Node;
  comment: number | null;
  trailingComma: number | null;
}

/** The parser calls itself for each level, so deeper texts are refused before it runs. */
const MAX_DEPTH = 256;

/**
 * Finds every value of a JSON text, to change it in place and leave all other bytes as they are. Comments, commas after the
 * last element and a byte-order mark are skipped.
 * @returns `errorAt`: the offset of the first error, or of the first bracket that is nested deeper than 256
 */
export function locateJson(text: string): LocatedJson | { errorAt: number } {
  const withoutMark = text.replace(/^\ufeff/, ' ');
  const { tooDeep, ...extensions } = scanTokens(withoutMark);
  if (tooDeep !== null) return { errorAt: tooDeep };
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark, errors, { allowTrailingComma: true });
  return root && errors.length === 0 ? { root, ...extensions } : { errorAt: errors[0]?.offset ?? 0 };
}

function scanTokens(text: string) {
  const found: Record<'comment' | 'trailingComma' | 'tooDeep', number | null> = {
    comment: null,
    trailingComma: null,
    tooDeep: null,
  };
  const scanner = createScanner(text);
  let depth = -1; // the outermost value is not nested
  let comma: number | null = null;
  while (scanner.getPosition() < text.length && found.tooDeep === null) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const first = text.charAt(at);
    if (isSpace(first.charCodeAt(0))) continue;
    if (first === '/') {
      found.comment ??= at;
      continue;
    }
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') {
      depth -= 1;
      found.trailingComma ??= comma;
    }
    if (depth > MAX_DEPTH) found.tooDeep = at;
    comma = first === ',' ? at : null;
  }
  return found;
}

/** The members of an object or the items of an array; none of another value. */
export const elementsOf = (node: Node): readonly Node[] => node.children ?? [];

/** The value of a member. The last one counts for readers when a key occurs twice. */
export function findMember(node: Node, key: string): Node | undefined {
  const members = node.type === 'object' ? elementsOf(node) : [];
  return members.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

export const endOf = ({ offset, length }: Node): number => offset + length;

/** Replaces the text of one value. */
export const replaceNode = (text: string, node: Node, replacement: string): string =>
  text.slice(0, node.offset) + replacement + text.slice(endOf(node));

/**
 * Adds a member or an item at the end of a container, behind the comments on the line of the last one, in the style of what
 * surrounds it. `write` makes the text of the new element for the given style. An empty container keeps its inner space after
 * the new element, so that `removeElement` restores it.
 */
export function appendElement(text: string, container: Node, write: (style: JsonStyle) => string): string {
  const style = styleAt(text, container);
  const last = elementsOf(container).at(-1);
  if (!last) return insert(text, container.offset + 1, write(style));
  const comma = skipBlank(text, endOf(last));
  const hasComma = text[comma] === ',';
  const end = hasComma ? comma + 1 : endOf(last);
  const at = skipComments(text, end);
  const lead = leadingSpace(text, last.offset);
  const isAfterLine = spaceBehindComments(text, end, at).isLine && !/[\r\n]/.test(lead);
  const ownLine = `${style.lineEnd || '\n'}${style.indent}`;
  const space = isAfterLine ? ownLine : lead || (style.lineEnd === '' && at === end ? '' : ' ');
  const added = space + write(style);
  return hasComma
    ? insert(text, at, `${added},`)
    : `${text.slice(0, end)},${text.slice(end, at)}${added}${text.slice(at)}`;
}

/** Adds a member with `appendElement`. */
export const appendMember = (text: string, container: Node, key: string, value: unknown): string =>
  appendElement(text, container, (style) => writeMember(key, value, style));

const insert = (text: string, at: number, added: string) => text.slice(0, at) + added + text.slice(at);

/** Takes a member or an item out of its container, with the comma and the space that belonged to it. Comments stay. */
export function removeElement(text: string, element: Node): string {
  const elements = element.parent ? elementsOf(element.parent) : [];
  const index = elements.indexOf(element);
  const [previous, next] = [elements[index - 1], elements[index + 1]];
  const end = endOf(element);
  const commaAfter = skipBlank(text, end);
  const hasCommaAfter = text[commaAfter] === ',';
  const after = hasCommaAfter ? text.slice(end, commaAfter) + text.slice(commaAfter + 1) : text.slice(end);
  if (next && !previous) return text.slice(0, element.offset) + after.trimStart();
  const gapStart = previous ? endOf(previous) : (element.parent?.offset ?? -1) + 1;
  const space = spaceBehindComments(text, gapStart, element.offset);
  const comma = previous && !hasCommaAfter ? skipBlank(text, gapStart) : space.start;
  const before = text.slice(0, comma) + text.slice(comma + 1, space.start);
  const needsLine = space.isLine && !/^[ \t]*[\r\n]/.test(after);
  return before + (needsLine ? text.slice(space.start, element.offset) : '') + after;
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

/** A member as text, with `writeJson`. */
export const writeMember = (key: string, value: unknown, style: JsonStyle): string =>
  `${JSON.stringify(key)}:${style.lineEnd === '' ? '' : ' '}${writeJson(value, style)}`;

/** The layout of the elements of a container. */
export function styleAt(text: string, container: Node): JsonStyle {
  const isEmpty = text.replace(/\s/g, '').length <= 2;
  const lineEnd = text.includes('\r\n') ? '\r\n' : isEmpty || text.trim().includes('\n') ? '\n' : '';
  const firstIndent = /\n([ \t]+)\S/.exec(text)?.[1];
  const unit = firstIndent ?? '  ';
  const element = elementsOf(container)[0];
  const own = element && leadingSpace(text, element.offset);
  if (own?.includes('\n')) return { lineEnd, unit, indent: own.slice(own.lastIndexOf('\n') + 1) };
  const line = text.slice(text.lastIndexOf('\n', container.offset) + 1);
  return { lineEnd, unit, indent: (/^[ \t]*/.exec(line)?.[0] ?? '') + unit };
}

/** The white space right before an offset. */
export function leadingSpace(text: string, at: number): string {
  let from = at;
  while (from > 0 && isSpace(text.charCodeAt(from - 1))) from -= 1;
  return text.slice(from, at);
}

const isSpace = (unit: number) => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** The next offset that is neither space nor comment. */
function skipBlank(text: string, at: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getTokenOffset();
}

const SPACE = /[ \t\r\n]+/y;
const COMMENT = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^]*?\*\/)/y;

/** The end of the comments that begin on the line of an offset, before anything else. */
function skipComments(text: string, at: number): number {
  let end = at;
  for (let next: number | null = at; next !== null; next = match(COMMENT, text, end)) end = next;
  return end;
}

/** Where the space after the last comment or comma of a part begins, and whether that comment ends only with its line. */
function spaceBehindComments(text: string, from: number, to: number): { start: number; isLine: boolean } {
  let [at, start, isLine] = [from, from, false];
  while (at < to) {
    const space = match(SPACE, text, at);
    if (space !== null) at = space;
    else {
      isLine = text.startsWith('//', at);
      at = start = match(COMMENT, text, at) ?? at + 1;
    }
  }
  return { start, isLine };
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
