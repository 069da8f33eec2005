import {
  appendMember,
  elementsOf,
  endOf,
  findMember,
  leadingSpace,
  locateJson,
  removeElement,
  replaceNode,
  styleAt,
  writeJson,
  writeMember,
  type LocatedJson,
} from '@claude-mem/core/json-text';
import { getNodeValue, type Node } from 'jsonc-parser';
import { placeIn } from './place-in.js';

export function readRoot(text: string): LocatedJson | { problem: string } {
  const located = locateJson(text);
  if ('errorAt' in located) return { problem: `is not valid JSON at ${placeIn(text, located.errorAt)}` };
  return located.root.type === 'object' ? located : { problem: 'does not hold a JSON object' };
}

/** Replaces the value at a path. Returns the same text when there is none. */
export function replaceMember(text: string, path: readonly string[], replacement: string): string {
  const node = nodeAt(text, path);
  return node ? replaceNode(text, node, replacement) : text;
}

/**
 * Sets the member at a path, or (for undefined) removes it. A member with the same value keeps its formatting.
 * Missing containers are created, and empty ones without comments are removed.
 */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const container = nodeAt(text, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (!container) return value === undefined ? text : setMember(text, path.slice(0, -1), { [key]: value });
  if (container.type !== 'object') return text;
  const found = findMember(container, key);
  if (value === undefined) {
    if (!found?.parent) return text;
    if (isOnlyContent(text, found.parent)) return setMember(text, path.slice(0, -1), undefined);
    return removeElement(text, found.parent);
  }
  if (!found) return appendMember(text, container, key, value);
  if (JSON.stringify(getNodeValue(found)) === JSON.stringify(value)) return text;
  return replaceNode(text, found, writeJson(value, styleAt(text, container)));
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const read = readRoot(text);
  if ('problem' in read) return undefined;
  return path.reduce<Node | undefined>((node, key) => node && findMember(node, key), read.root);
}

/** A file that we create ends with a line end. In an existing empty file, a space after the brace marks this. */
export function newFile(before: string | null, key: string, value: unknown): string {
  const body = writeMember(key, value, { lineEnd: '\n', unit: '  ', indent: '  ' });
  return before === null ? `{\n  ${body}\n}\n` : `${before}{ ${body}}`;
}

export const isBlankFile = (text: string) => text.replace(/^\ufeff/, '').trim() === '';

/**
 * Removes an element of ours, and the empty containers without comments that we created for it. Null when the file
 * contained nothing else.
 */
export function removeUpwards(text: string, element: Node): string | null {
  const written = element.type === 'property' ? element.children?.[1] : element;
  // A container that the host has rewritten does not show what existed before.
  const isAsWritten = written !== undefined && !isTight(text, written);
  let only = element;
  for (let container = only.parent; container; container = only.parent) {
    if (!isOnlyContent(text, only) || (isAsWritten && isTight(text, container)))
      return removeElement(text, only);
    if (!container.parent) return withoutRoot(text, container, only);
    only = container.parent.type === 'property' ? container.parent : container;
  }
  return text;
}

/** True when the container of an element has no other element and no comment, also none after its key. */
export function isOnlyContent(text: string, element: Node): boolean {
  const container = element.parent;
  if (!container || elementsOf(container).length > 1) return false;
  const key = container.parent?.type === 'property' ? container.parent.children?.[0] : undefined;
  const before = text.slice(key ? endOf(key) : container.offset, element.offset);
  const after = text.slice(endOf(element), endOf(container));
  return !`${before}${after}`.includes('/');
}

/** True when the first element is right after the bracket, which we write only into existing containers. */
function isTight(text: string, container: Node): boolean {
  const [first] = elementsOf(container);
  return first !== undefined && leadingSpace(text, first.offset) === '';
}

function withoutRoot(text: string, root: Node, only: Node): string | null {
  const before = text.slice(0, root.offset);
  const after = text.slice(endOf(root));
  const around = text.slice(root.offset + 1, only.offset) + text.slice(endOf(only), endOf(root) - 1);
  if (around === ' ' && endOf(only) === endOf(root) - 1) return before + after;
  return before === '' && after === '\n' ? null : `${before}{}${after}`;
}
