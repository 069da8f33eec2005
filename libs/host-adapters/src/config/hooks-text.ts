import {
  appendElement,
  findMember,
  leadingSpace,
  locateJson,
  removeElement,
  writeJson,
  type JsonNode,
  type JsonStyle,
} from '@claude-mem/core/json-text';

/** One of our entries under `hooks` in a host's configuration. */
export interface HookEntry {
  event: string;
  value: object;
}

/** How the file of a host is built around the entries of an event. */
export interface HooksLayout {
  /** The field of an entry that lists its commands; without it an entry is one command. */
  groupedUnder?: string;
  /** The file must say this number as its `version`. */
  version?: number;
  /** Whether a command line is one that we wrote. */
  isOwn(command: string): boolean;
}

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
type ArrayNode = Extract<JsonNode, { kind: 'array' }>;

const EVENTS_FIELD = 'hooks';
const VERSION_FIELD = 'version';

/**
 * Adds entries and leaves every other byte alone. How an entry stands tells `removeHooks` what was there before: what we
 * create begins on a new line, what was there and empty gets its first element right after the bracket, and a version of ours
 * has space before its colon.
 */
export function addHooks(
  before: string | null,
  entries: readonly HookEntry[],
  { version }: HooksLayout,
): { text: string } | { problem: string } {
  let text = before;
  for (const entry of entries) {
    const result = text === null || isBlank(text) ? { text: newFile(text, entry) } : addHook(text, entry);
    if ('problem' in result) return result;
    text = result.text;
  }
  return version === undefined || text === null ? { text: text ?? '' } : addVersion(text, version);
}

/** Takes all our entries out. `text` is null when nothing but our own file was there. */
export function removeHooks(
  before: string | null,
  layout: HooksLayout,
): { text: string | null; removed: readonly string[] } | { problem: string } {
  const removed: string[] = [];
  let text = before;
  while (text !== null && !isBlank(text)) {
    const tree = readTree(text);
    if ('problem' in tree) return tree;
    const found = findOwn(text, tree.events, layout);
    if (!found) break;
    removed.unshift(found.event);
    const version = layout.version === undefined ? -1 : findOwnVersion(text, tree.root);
    text = version === -1 ? removeOne(text, tree, found) : removeElement(text, tree.root, version);
  }
  return { text, removed: [...new Set(removed)] };
}

interface Tree {
  root: ObjectNode;
  events: ObjectNode | null;
}

function readTree(text: string): Tree | { problem: string } {
  const root = locateJson(text);
  if (!root) return { problem: 'is not valid JSON' };
  if (root.kind !== 'object') return { problem: 'does not hold a JSON object' };
  const events = findMember(root, EVENTS_FIELD)?.value ?? null;
  if (events === null || events.kind === 'object') return { root, events };
  return { problem: `has a "${EVENTS_FIELD}" that is not an object` };
}

function addHook(text: string, { event, value }: HookEntry): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const { root, events } = tree;
  if (!events) {
    const write = (style: JsonStyle) => member(EVENTS_FIELD, { [event]: [value] }, style);
    return { text: appendElement(text, root, write) };
  }
  const groups = findMember(events, event)?.value;
  if (!groups) return { text: appendElement(text, events, (style) => member(event, [value], style)) };
  if (groups.kind !== 'array') return { problem: `has "${EVENTS_FIELD}.${event}" that is not a list` };
  return { text: appendElement(text, groups, (style) => writeJson(value, style)) };
}

function addVersion(text: string, version: number): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const found = findMember(tree.root, VERSION_FIELD)?.value;
  if (!found) return { text: appendElement(text, tree.root, () => `"${VERSION_FIELD}" : ${version}`) };
  const value: unknown = JSON.parse(text.slice(found.start, found.end));
  return value === version ? { text } : { problem: `has a "${VERSION_FIELD}" that is not ${version}` };
}

const findOwnVersion = (text: string, root: ObjectNode) =>
  root.members.findLastIndex(({ start, end }) => /^"version" : \d+$/.test(text.slice(start, end)));

function member(key: string, value: unknown, style: JsonStyle): string {
  return `${JSON.stringify(key)}:${style.lineEnd === '' ? '' : ' '}${writeJson(value, style)}`;
}

const isBlank = (text: string) => text.replace(/^\ufeff/, '').trim() === '';

/** A file of our own ends with a line end; in an empty one the space after the brace says so. */
function newFile(before: string | null, { event, value }: HookEntry): string {
  const style = { lineEnd: '\n', unit: '  ', indent: '  ' };
  const body = member(EVENTS_FIELD, { [event]: [value] }, style);
  return before === null ? `{\n  ${body}\n}\n` : `${before}{ ${body}}`;
}

interface Own {
  event: string;
  eventIndex: number;
  groups: ArrayNode;
  groupIndex: number;
  /** The list of commands in the group; null where an entry is one command. */
  hooks: ArrayNode | null;
  hookIndex: number;
}

/** The last of our entries, so that they are taken out in the reverse order of adding. */
function findOwn(text: string, events: ObjectNode | null, layout: HooksLayout): Own | null {
  const isOwn = (hook: JsonNode) => isOwnHook(text, hook, layout);
  const members = events?.members ?? [];
  for (let eventIndex = members.length - 1; eventIndex >= 0; eventIndex -= 1) {
    const { key: event = '', value: groups } = members[eventIndex] ?? {};
    if (groups?.kind !== 'array') continue;
    for (let groupIndex = groups.items.length - 1; groupIndex >= 0; groupIndex -= 1) {
      const group = groups.items[groupIndex];
      if (!group) continue;
      const place = { event, eventIndex, groups, groupIndex };
      if (layout.groupedUnder === undefined) {
        if (isOwn(group)) return { ...place, hooks: null, hookIndex: 0 };
        continue;
      }
      const hooks = findMember(group, layout.groupedUnder)?.value;
      if (hooks?.kind !== 'array') continue;
      const hookIndex = hooks.items.findLastIndex(isOwn);
      if (hookIndex !== -1) return { ...place, hooks, hookIndex };
    }
  }
  return null;
}

function isOwnHook(text: string, hook: JsonNode, layout: HooksLayout): boolean {
  const command = findMember(hook, 'command')?.value;
  if (command?.kind !== 'scalar') return false;
  const value: unknown = JSON.parse(text.slice(command.start, command.end));
  return typeof value === 'string' && layout.isOwn(value);
}

/** Takes one entry out, and upwards what we made for it and is empty now. */
function removeOne(text: string, { root, events }: Tree, own: Own): string | null {
  const group = own.groups.items[own.groupIndex];
  if (own.hooks && own.hooks.items.length > 1) return removeElement(text, own.hooks, own.hookIndex);
  const isAsWritten = group !== undefined && !isTight(text, group);
  const stays = (container: ObjectNode | ArrayNode) =>
    elementsOf(container).length > 1 || (isAsWritten && isTight(text, container));
  if (stays(own.groups)) return removeElement(text, own.groups, own.groupIndex);
  if (!events || stays(events)) return events && removeElement(text, events, own.eventIndex);
  const index = root.members.findLastIndex(({ key }) => key === EVENTS_FIELD);
  return stays(root) ? removeElement(text, root, index) : withoutRoot(text, root);
}

/** True when the first element stands right after the bracket: what we write never does, unless the bracket was there before. */
function isTight(text: string, container: JsonNode): boolean {
  const [first] = elementsOf(container);
  return first !== undefined && leadingSpace(text, first.start) === '';
}

function elementsOf(node: JsonNode): readonly { start: number; end: number }[] {
  if (node.kind === 'scalar') return [];
  return node.kind === 'object' ? node.members : node.items;
}

function withoutRoot(text: string, root: ObjectNode): string | null {
  const [only] = root.members;
  const before = text.slice(0, root.start);
  const after = text.slice(root.end);
  if (only && leadingSpace(text, only.start) === ' ' && only.end === root.end - 1) return before + after;
  if (before === '' && after === '\n') return null;
  return `${before}{}${after}`;
}
