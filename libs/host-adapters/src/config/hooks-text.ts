import {
  appendElement,
  appendMember,
  elementsOf,
  endOf,
  findMember,
  removeElement,
  writeJson,
} from '@claude-mem/core/json-text';
import type { Node } from 'jsonc-parser';
import { isBlankFile, isOnlyContent, newFile, readRoot, removeUpwards } from './json-edits.js';

/** One of our entries under `hooks` in a host's configuration. */
export interface HookEntry {
  event: string;
  value: object;
}

/** The structure of a host's file around the entries of an event. */
export interface HooksLayout {
  /** The field of an entry that lists its commands. Without it, an entry is one command. */
  groupedUnder?: string;
  /** The number that the file must have as `version`. */
  version?: number;
  /** Checks for a command line of ours. */
  isOwn(command: string): boolean;
}

/** A removed entry of ours. */
export interface RemovedHook {
  event: string;
  command: string;
}

const EVENTS_FIELD = 'hooks';
const VERSION_FIELD = 'version';

/**
 * Adds entries and changes no other byte. `removeHooks` recognizes by the formatting what existed before:
 * - A container that we create begins on a new line.
 * - The first element of an existing empty container follows the bracket directly.
 * - Our version field has a space before its colon.
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

/** Removes all our entries. `text` is null when the file contained nothing else. */
export function removeHooks(
  before: string | null,
  layout: HooksLayout,
): { text: string | null; removed: readonly RemovedHook[] } | { problem: string } {
  const removed: RemovedHook[] = [];
  let text = before;
  while (text !== null && !isBlankFile(text)) {
    const tree = readTree(text);
    if ('problem' in tree) return tree;
    const found = findOwn(tree.events, layout);
    if (!found) break;
    const version = layout.version === undefined ? undefined : findOwnVersion(text, tree.root);
    if (!version) removed.unshift({ event: found.event, command: found.command });
    text = version ? removeElement(text, version) : removeOne(text, found);
  }
  return { text, removed };
}

interface Tree {
  root: Node;
  events: Node | undefined;
}

function readTree(text: string): Tree | { problem: string } {
  const read = readRoot(text);
  if ('problem' in read) return read;
  const { root } = read;
  const events = findMember(root, EVENTS_FIELD);
  if (!events || events.type === 'object') return { root, events };
  return { problem: `has a "${EVENTS_FIELD}" that is not an object` };
}

function addHook(text: string, { event, value }: HookEntry): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const { root, events } = tree;
  if (!events) return { text: appendMember(text, root, EVENTS_FIELD, { [event]: [value] }) };
  const groups = findMember(events, event);
  if (!groups) return { text: appendMember(text, events, event, [value]) };
  if (groups.type !== 'array') return { problem: `has "${EVENTS_FIELD}.${event}" that is not a list` };
  return { text: appendElement(text, groups, (style) => writeJson(value, style)) };
}

function addVersion(text: string, version: number): { text: string } | { problem: string } {
  const tree = readTree(text);
  if ('problem' in tree) return tree;
  const found = findMember(tree.root, VERSION_FIELD);
  if (!found) return { text: appendElement(text, tree.root, () => `"${VERSION_FIELD}" : ${version}`) };
  return found.value === version ? { text } : { problem: `has a "${VERSION_FIELD}" that is not ${version}` };
}

const findOwnVersion = (text: string, root: Node) =>
  elementsOf(root).findLast((member) => /^"version" : \d+$/.test(text.slice(member.offset, endOf(member))));

interface Own extends RemovedHook {
  /** The command of ours. */
  hook: Node;
  /** The entry of the event with the command, or the command itself when an entry is one command. */
  entry: Node;
}

/** The last of our entries, because they are removed in the reverse order of adding. */
function findOwn(events: Node | undefined, { groupedUnder, isOwn }: HooksLayout): Own | null {
  for (const { children: [event, entries] = [] } of events ? elementsOf(events).toReversed() : []) {
    if (entries?.type !== 'array') continue;
    for (const entry of elementsOf(entries).toReversed()) {
      const hooks = groupedUnder === undefined ? [entry] : listIn(entry, groupedUnder);
      const hook = hooks.findLast((candidate) => isOwn(commandOf(candidate)));
      if (hook) return { event: event?.value as string, command: commandOf(hook), hook, entry };
    }
  }
  return null;
}

function listIn(entry: Node, field: string): readonly Node[] {
  const list = findMember(entry, field);
  return list?.type === 'array' ? elementsOf(list) : [];
}

/** The command line of an entry. Empty when it has none. */
function commandOf(hook: Node): string {
  const value: unknown = findMember(hook, 'command')?.value;
  return typeof value === 'string' ? value : '';
}

/** Removes one entry, and the empty containers without comments that we created for it. */
function removeOne(text: string, { hook, entry }: Own): string | null {
  const isEntryKept = hook !== entry && !isOnlyContent(text, hook);
  return isEntryKept ? removeElement(text, hook) : removeUpwards(text, entry);
}
