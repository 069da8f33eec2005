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
  if (container.type !== 'object') return text;
  const found = findMember(container, key);
  if (value === undefined) {
    if (!found?.parent) return text;
    if (elementsOf(container).length === 1) return setMember(text, path.slice(0, -1), undefined);
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

/** A file of our own ends with a line end; in an empty one the space after the brace says that it was there. */
export function newFile(before: string | null, key: string, value: unknown): string {
  const body = writeMember(key, value, { lineEnd: '\n', unit: '  ', indent: '  ' });
  return before === null ? `{\n  ${body}\n}\n` : `${before}{ ${body}}`;
}

export const isBlankFile = (text: string) => text.replace(/^\ufeff/, '').trim() === '';

/**
 * Takes out an element that we wrote, and upwards the containers that we made for it and that are empty now. Null when
 * nothing but our own file was there.
 */
export function removeUpwards(text: string, element: Node): string | null {
  const written = element.type === 'property' ? element.children?.[1] : element;
  // a container that the host wrote anew tells nothing about what was there before
  const isAsWritten = written !== undefined && !isTight(text, written);
  let only = element;
  for (let container = only.parent; container; container = only.parent) {
    if (elementsOf(container).length > 1 || (isAsWritten && isTight(text, container)))
      return removeElement(text, only);
    if (!container.parent) return withoutRoot(text, container, only);
    only = container.parent.type === 'property' ? container.parent : container;
  }
  return text;
}

/** True when the first element stands right after the bracket: what we write never does, unless the bracket was there before. */
function isTight(text: string, container: Node): boolean {
  const [first] = elementsOf(container);
  return first !== undefined && leadingSpace(text, first.offset) === '';
}

function withoutRoot(text: string, root: Node, only: Node): string | null {
  const before = text.slice(0, root.offset);
  const after = text.slice(endOf(root));
  const around = text.slice(root.offset + 1, only.offset) + text.slice(endOf(only), endOf(root) - 1);
  if (around.trim() !== '') return removeElement(text, only);
  if (around === ' ' && endOf(only) === endOf(root) - 1) return before + after;
  return before === '' && after === '\n' ? null : `${before}{}${after}`;
}
