import { findMember, writeJson, type JsonNode } from '@claude-mem/core/json-text';
import {
  appendElement,
  appendMember,
  isBlankFile,
  newFile,
  readRoot,
  removeUpwards,
  takeOut,
  type ArrayNode,
  type ObjectNode,
} from './json-edits.js';

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

/** An entry of ours that was taken out. */
export interface RemovedHook {
  event: string;
  command: string;
}

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
    const result =
      text === null || isBlankFile(text)
        ? { text: newFile(text, EVENTS_FIELD, { [entry.event]: [entry.value] }) }
        : addHook(text, entry);
    if ('problem' in result) return result;
    text = result.text;
  }
  return version === undefined || text === null ? { text: text ?? '' } : addVersion(text, version);
}

/** Takes all our entries out. `text` is null when nothing but our own file was there. */
export function removeHooks(
  before: string | null,
  layout: HooksLayout,
): { text: string | null; removed: readonly RemovedHook[] } | { problem: string } {
  const removed: RemovedHook[] = [];
  let text = before;
  while (text !== null && !isBlankFile(text)) {
    const tree = readTree(text);
    if ('problem' in tree) return tree;
    const found = findOwn(text, tree.events, layout);
    if (!found) break;
    const version = layout.version === undefined ? -1 : findOwnVersion(text, tree.root);
    if (version === -1) removed.unshift({ event: found.event, command: found.command });
    text = version === -1 ? removeOne(text, tree, found) : takeOut(text, tree.root, version);
  }
  return { text, removed };
}

interface Tree {
  root: ObjectNode;
  events: ObjectNode | null;
}

function readTree(text: string): Tree | { problem: string } {
  const read = readRoot(text);
  if ('problem' in read) return read;
  const { root } = read;
  const events = findMember(root, EVENTS_FIELD)?.value ?? null;
  if (events === null || events.kind === 'object') return { root, events };
  return { problem: `has a "${EVENTS_FIELD}" that is not an object` };
}

function addHook(text: string, { event, value }: HookEntry): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const { root, events } = tree;
  if (!events) return { text: appendMember(text, root, EVENTS_FIELD, { [event]: [value] }) };
  const groups = findMember(events, event)?.value;
  if (!groups) return { text: appendMember(text, events, event, [value]) };
  if (groups.kind !== 'array') return { problem: `has "${EVENTS_FIELD}.${event}" that is not a list` };
  return { text: appendElement(text, groups, (style) => writeJson(value, style)) };
}

function addVersion(text: string, version: number): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const found = findMember(tree.root, VERSION_FIELD)?.value;
  if (!found) return { text: appendElement(text, tree.root, () => `"${VERSION_FIELD}" : ${version}`) };
  return found.kind === 'scalar' && JSON.parse(text.slice(found.start, found.end)) === version
    ? { text }
    : { problem: `has a "${VERSION_FIELD}" that is not ${version}` };
}

const findOwnVersion = (text: string, root: ObjectNode) =>
  root.members.findLastIndex(({ start, end }) => /^"version" : \d+$/.test(text.slice(start, end)));

interface Own extends RemovedHook {
  eventIndex: number;
  groups: ArrayNode;
  groupIndex: number;
  /** The list of commands in the group; null where an entry is one command. */
  hooks: ArrayNode | null;
  hookIndex: number;
}

/** The last of our entries, so that they are taken out in the reverse order of adding. */
function findOwn(text: string, events: ObjectNode | null, layout: HooksLayout): Own | null {
  const members = events?.members ?? [];
  for (let eventIndex = members.length - 1; eventIndex >= 0; eventIndex -= 1) {
    const { key: event = '', value: groups } = members[eventIndex] ?? {};
    if (groups?.kind !== 'array') continue;
    for (let groupIndex = groups.items.length - 1; groupIndex >= 0; groupIndex -= 1) {
      const group = groups.items[groupIndex];
      if (!group) continue;
      const hooks = layout.groupedUnder === undefined ? null : findMember(group, layout.groupedUnder)?.value;
      if (hooks && hooks.kind !== 'array') continue;
      const candidates = layout.groupedUnder === undefined ? [group] : (hooks?.items ?? []);
      const commands = candidates.map((hook) => ownCommandOf(text, hook, layout));
      const hookIndex = commands.findLastIndex((command) => command !== null);
      const command = commands[hookIndex];
      if (command) return { event, command, eventIndex, groups, groupIndex, hooks: hooks ?? null, hookIndex };
    }
  }
  return null;
}

/** The command line of an entry when it is ours. */
function ownCommandOf(text: string, hook: JsonNode, layout: HooksLayout): string | null {
  const command = findMember(hook, 'command')?.value;
  if (command?.kind !== 'scalar') return null;
  const value: unknown = JSON.parse(text.slice(command.start, command.end));
  return typeof value === 'string' && layout.isOwn(value) ? value : null;
}

/** Takes one entry out, and upwards what we made for it and is empty now. */
function removeOne(text: string, { root, events }: Tree, own: Own): string | null {
  if (own.hooks && own.hooks.items.length > 1) return takeOut(text, own.hooks, own.hookIndex);
  if (!events) return text;
  return removeUpwards(text, [
    { container: own.groups, index: own.groupIndex },
    { container: events, index: own.eventIndex },
    { container: root, index: root.members.findLastIndex(({ key }) => key === EVENTS_FIELD) },
  ]);
}
