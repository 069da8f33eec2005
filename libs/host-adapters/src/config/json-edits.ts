import {
  appendElement as appendPlainly,
  findMember,
  leadingSpace,
  removeElement,
  replaceNode,
  styleAt,
  writeJson,
  type JsonNode,
  type JsonStyle,
} from '@claude-mem/core/json-text';
import { locateJsonc, readNode, skipBlank, skipRemarks, spaceBehindRemarks } from './locate-jsonc.js';

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
export type ArrayNode = Extract<JsonNode, { kind: 'array' }>;

/** One level on the way to what is taken out: which element of which container. */
export interface Level {
  container: ObjectNode | ArrayNode;
  index: number;
}

export function readRoot(text: string): { root: ObjectNode } | { problem: string } {
  const located = locateJsonc(text);
  if ('problem' in located) return located;
  const { root } = located;
  return root.kind === 'object' ? { root } : { problem: 'does not hold a JSON object' };
}

/** Adds a member at the end; a container that was empty gets it right after the bracket. */
export function appendMember(text: string, container: ObjectNode, key: string, value: unknown): string {
  return appendElement(text, container, (style) => member(key, value, style));
}

/** Adds an element at the end, behind what is remarked on the last one in its line. */
export function appendElement(
  text: string,
  container: ObjectNode | ArrayNode,
  write: (style: JsonStyle) => string,
): string {
  const last = elementsOf(container).at(-1);
  if (!last) return appendPlainly(text, container, write);
  const comma = skipBlank(text, last.end);
  const hasComma = text[comma] === ',';
  const end = hasComma ? comma + 1 : last.end;
  const at = skipRemarks(text, end);
  if (at === end && (!hasComma || text.slice(last.end, comma).trim() === ''))
    return appendPlainly(text, container, write);
  const style = styleAt(text, container);
  const lead = leadingSpace(text, last.start);
  const ownLine = `${style.lineEnd || '\n'}${style.indent}`;
  const { isLine } = spaceBehindRemarks(text, end, at);
  const added = (isLine && !/[\r\n]/.test(lead) ? ownLine : lead || ' ') + write(style);
  return hasComma
    ? `${text.slice(0, at)}${added},${text.slice(at)}`
    : `${text.slice(0, end)},${text.slice(end, at)}${added}${text.slice(at)}`;
}

/** Replaces the text of the value that stands at a path; the same text when nothing stands there. */
export function replaceMember(text: string, path: readonly string[], replacement: string): string {
  const node = nodeAt(text, path);
  return node ? replaceNode(text, node, replacement) : text;
}

/**
 * Makes the member at a path say a value, or (for undefined) takes it out; what says so already stays as it is written. Containers
 * that are missing are made, and one that is left empty goes.
 */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const container = nodeAt(text, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (!container) return value === undefined ? text : setMember(text, path.slice(0, -1), { [key]: value });
  if (container.kind !== 'object') return text;
  const found = findMember(container, key);
  if (value === undefined) {
    if (!found) return text;
    if (container.members.length === 1) return setMember(text, path.slice(0, -1), undefined);
    return takeOut(text, container, container.members.indexOf(found));
  }
  if (!found) return appendMember(text, container, key, value);
  if (JSON.stringify(readNode(text, found.value)) === JSON.stringify(value)) return text;
  return replaceNode(text, found.value, writeJson(value, styleAt(text, container)));
}

function nodeAt(text: string, path: readonly string[]): JsonNode | null {
  const read = readRoot(text);
  if ('problem' in read) return null;
  return path.reduce<JsonNode | null>(
    (node, key) => (node ? (findMember(node, key)?.value ?? null) : null),
    read.root,
  );
}

/** A file of our own ends with a line end; in an empty one the space after the brace says that it was there. */
export function newFile(before: string | null, key: string, value: unknown): string {
  const body = member(key, value, { lineEnd: '\n', unit: '  ', indent: '  ' });
  return before === null ? `{\n  ${body}\n}\n` : `${before}{ ${body}}`;
}

export const isBlankFile = (text: string) => text.replace(/^\ufeff/, '').trim() === '';

/**
 * Takes out what we wrote, and upwards the containers that we made for it and that are empty now. The levels begin with the
 * innermost container; the last one is the root. Null when nothing but our own file was there.
 */
export function removeUpwards(text: string, levels: readonly [...Level[], Level]): string | null {
  const [innermost] = levels;
  const written = innermost && valueOf(innermost);
  // a container that the host wrote anew tells nothing about what was there before
  const isAsWritten = written !== undefined && !isTight(text, written);
  for (const { container, index } of levels) {
    if (elementsOf(container).length > 1 || (isAsWritten && isTight(text, container)))
      return takeOut(text, container, index);
  }
  const root = levels.at(-1);
  return root ? withoutRoot(text, root) : text;
}

/** `removeElement` for texts with remarks, which stay, and with a comma after the last element. */
export function takeOut(text: string, container: ObjectNode | ArrayNode, index: number): string {
  const elements = elementsOf(container);
  const [previous, element, next] = [elements[index - 1], elements[index], elements[index + 1]];
  if (!element) return text;
  const comma = skipBlank(text, (previous ?? element).end);
  const hasComma = text[comma] === ',';
  if (!previous && !next) {
    const from = element.start - leadingSpace(text, element.start).length;
    return text.slice(0, from) + text.slice(hasComma ? comma + 1 : element.end);
  }
  const [from, to] = previous ? [previous.end, element.start] : [element.end, next?.start ?? element.end];
  if (/^[\s,]*$/.test(text.slice(from, to))) return removeElement(text, container, index);
  if (!previous) {
    const remarks = text.slice(from, comma) + text.slice(comma + 1, to);
    return text.slice(0, element.start) + remarks.trimStart() + text.slice(to);
  }
  const space = spaceBehindRemarks(text, from, to);
  const ownComma = skipBlank(text, element.end);
  const isBeforeComma = text[ownComma] === ',';
  const before = isBeforeComma
    ? text.slice(0, space.start)
    : text.slice(0, comma) + text.slice(comma + 1, space.start);
  const after = isBeforeComma
    ? text.slice(element.end, ownComma) + text.slice(ownComma + 1)
    : text.slice(element.end);
  const needsLine = space.isLine && !/^[ \t]*[\r\n]/.test(after);
  return before + (needsLine ? text.slice(space.start, to) : '') + after;
}

function member(key: string, value: unknown, style: JsonStyle): string {
  return `${JSON.stringify(key)}:${style.lineEnd === '' ? '' : ' '}${writeJson(value, style)}`;
}

/** True when the first element stands right after the bracket: what we write never does, unless the bracket was there before. */
function isTight(text: string, container: JsonNode): boolean {
  const [first] = elementsOf(container);
  return first !== undefined && leadingSpace(text, first.start) === '';
}

const valueOf = ({ container, index }: Level) =>
  container.kind === 'object' ? container.members[index]?.value : container.items[index];

function elementsOf(node: JsonNode): readonly { start: number; end: number }[] {
  if (node.kind === 'scalar') return [];
  return node.kind === 'object' ? node.members : node.items;
}

function withoutRoot(text: string, { container, index }: Level): string | null {
  const only = elementsOf(container)[index];
  const before = text.slice(0, container.start);
  const after = text.slice(container.end);
  const around =
    only && text.slice(container.start + 1, only.start) + text.slice(only.end, container.end - 1);
  if (around?.trim() !== '') return takeOut(text, container, index);
  if (around === ' ' && only?.end === container.end - 1) return before + after;
  return before === '' && after === '\n' ? null : `${before}{}${after}`;
}
