import { formatCodeSpan, toSingleLine } from '@claude-mem/core';
import {
  readDeclaration,
  isProseFile,
  isSettingsFile,
  isTestFile,
  lineKey,
  findExternalNames,
  type Declaration,
  type FileChange,
} from '@claude-mem/evidence';

/** Names that a change added, removed or modified. */
export interface ChangedNames {
  added: Declaration[];
  removed: Declaration[];
  /** Declarations before and after the change whose line differs. */
  changed: Declaration[];
}

const LINES = 3_000;

/** Caches the names of each change, because several rules read them. */
const CACHE = new WeakMap<FileChange, ChangedNames>();

export function changedNames(change: FileChange): ChangedNames {
  const known = CACHE.get(change) ?? readNames(change);
  CACHE.set(change, known);
  return known;
}

function readNames(change: FileChange): ChangedNames {
  const read = (lines: readonly string[]) => {
    const found = new Map<string, Declaration>();
    for (const line of lines.slice(0, LINES)) {
      const declared = readDeclaration(line, change.path);
      for (const name of [...(declared ? [declared] : []), ...findExternalNames(line, change.path)]) {
        if (!found.has(name.name)) found.set(name.name, name);
      }
    }
    return found;
  };
  const after = read(change.added);
  const before = read(change.removed);
  return {
    added: [...after.values()].filter(({ name }) => !before.has(name)),
    removed: [...before.values()].filter(({ name }) => !after.has(name)),
    changed: [...after.values()].filter(({ name }) => before.has(name)),
  };
}

/** Maximum number of pairs of names that are matched by their order. */
const MAX_PAIRS = 3;

/**
 * Lists pairs of a removed and an added declaration, in their order, when a file loses and gains the same number of
 * declarations of a kind. The edits do not show whether a declaration was renamed or rewritten.
 */
export function replacedNames({ added, removed }: ChangedNames): [Declaration, Declaration][] {
  const kinds = new Set(added.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const ofKind = (names: readonly Declaration[]) => names.filter((name) => name.kind === kind);
    const [before, after] = [ofKind(removed), ofKind(added)];
    if (before.length !== after.length || before.length > MAX_PAIRS) return [];
    return before
      .map((old, at): [Declaration, Declaration] => [old, after[at]!])
      .filter((pair) => pair.every((name) => listNames([name]) !== null));
  });
}

/** Describes the change of one file as a fact. Returns null when only the name of the file is known. */
export function describeChange(change: FileChange): string | null {
  const path = formatCodeSpan(change.path);
  if (change.kind === 'deleted') return `${path} deleted`;
  const names = changedNames(change);
  const parts: string[] = [];
  if (change.kind === 'moved') parts.push(`moved from ${formatCodeSpan(change.from ?? '')}`);
  const replaced = change.kind === 'created' ? [] : replacedNames(names);
  const isLeft = (name: Declaration) => !replaced.some((pair) => pair.includes(name));
  const added = listNames(names.added.filter(isLeft));
  const removed = listNames(names.removed.filter(isLeft));
  if (change.kind === 'created') parts.push(added === null ? 'new' : `new: ${added}`);
  else {
    if (added !== null) parts.push(`adds ${added}`);
    if (removed !== null) parts.push(`removes ${removed}`);
    parts.push(...replaced.map(([old, name]) => `replaces ${listNames([old])} with ${listNames([name])}`));
    const changed = listNames(names.changed);
    if (changed !== null) parts.push(`changes ${changed}`);
    const places = change.declarations.filter((name) => !parts.some((part) => part.includes(name)));
    if (parts.length > 0 && places.length > 0)
      parts.push(`in ${places.slice(0, 2).map(formatName(change.path)).join(', ')}`);
    if (parts.length === 0) {
      const literal = literalChange(change);
      if (literal !== null) return `${path}: ${literal}`;
      if (change.declarations.length > 0)
        parts.push(`changed in ${change.declarations.slice(0, 3).map(formatName(change.path)).join(', ')}`);
    }
  }
  if (parts.length === 0) {
    const [now, before] = identifiers(change);
    if (before.length > 0) parts.push(`lines with ${before.join(', ')} removed`);
    if (now.length > 0) parts.push(`lines with ${now.join(', ')} added`);
  }
  return parts.length === 0 ? null : `${path} ${parts.join('; ')}`;
}

/** Returns the distinctive names that occur only in the new or only in the old lines. */
export function identifiers({ added, removed, path }: FileChange): [string[], string[]] {
  if (isProseFile(path) || /(?:^|\/)\.env/.test(path)) return [[], []];
  const names = (lines: readonly string[]) =>
    new Set(
      lines
        .slice(0, LINES)
        .join('\n')
        .match(/\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z][A-Z0-9]+_\w+|[a-z]+_[a-z]\w+)\b/g) ?? [],
    );
  const [now, before] = [names(added), names(removed)];
  const only = (own: Set<string>, other: Set<string>) =>
    [...own]
      .filter((name) => !other.has(name) && name.length < 40)
      .slice(0, 3)
      .map((name) => `\`${name}\``);
  return [only(now, before), only(before, now)];
}

/** Quotes up to two short replaced lines. Files with environment values are never quoted. */
export function literalChange(change: FileChange): string | null {
  if (/(?:^|\/)\.env/.test(change.path) || [...change.removed, ...change.added].some(holdsSecret))
    return null;
  const removed = change.removed.map(lineKey).filter(Boolean);
  const added = change.added.map(lineKey).filter(Boolean);
  if (removed.length === 0 || removed.length > 3 || removed.length !== added.length) return null;
  const pairs = removed.map((line, index) => shortPair(line, added[index]!));
  if (pairs.some((pair) => pair === null)) return null;
  return [...new Set(pairs)].slice(0, 2).join('; ');
}

const holdsSecret = (line: string) =>
  /secret|passw(?:or)?d|token|api[_-]?key|credential|private[_-]?key/i.test(line) &&
  /["'`][^"'`\s]{6,}["'`]|[=:]\s*[^\s"'`(){}]{6,}/.test(line);

/** Reduces two lines to their difference with one word of context on both sides. */
function shortPair(before: string, after: string): string | null {
  const old = before.split(' ');
  const fresh = after.split(' ');
  const shared = old.filter((word) => fresh.includes(word)).length;
  if (old.length > 3 && shared < Math.min(old.length, fresh.length) * 0.3) return null;
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end))
    end += 1;
  const cut = (words: string[]) =>
    words.slice(Math.max(0, start - 1), words.length - Math.max(0, end - 1)).join(' ');
  const [from, to] = [cut(old), cut(fresh)];
  if (from.length > 90 || to.length > 110 || from === '' || to === '' || /`/.test(from + to)) return null;
  return `\`${from}\` became \`${to}\``;
}

const KIND_WORDS: Partial<Record<Declaration['kind'], string>> = {
  env: 'environment variable',
  flag: 'flag',
  setting: 'setting',
  test: 'test',
  table: 'table',
  heading: 'section',
  import: 'import of',
  program: 'a call of',
};

/** Formats names: `parse()`, `Cart`, environment variable `X`. Returns null for an empty list. */
export function listNames(names: readonly Declaration[], limit = 5): string | null {
  const worth = names.filter(
    ({ kind, name }) => kind !== 'constant' || /^[A-Z]/.test(name) || name.length > 5,
  );
  if (worth.length === 0) return null;
  const groups = new Map<string, string[]>();
  for (const { kind, name } of worth) {
    const word = KIND_WORDS[kind] ?? '';
    groups.set(word, [...(groups.get(word) ?? []), kind === 'function' ? `${name}()` : name]);
  }
  const shown = [...groups].map(([word, list]) => {
    const formatName = list
      .slice(0, limit)
      .map((name) => (word === 'section' ? `“${name}”` : `\`${name}\``))
      .join(', ');
    const more = list.length > limit ? ` and ${list.length - limit} more` : '';
    const plural = list.length > 1 && !word.includes(' of') ? 's' : '';
    return word === '' ? formatName + more : `${word}${plural} ${formatName}${more}`;
  });
  return shown.join(', ');
}

const formatName = (path: string) => (name: string) => (isProseFile(path) ? `“${name}”` : `\`${name}\``);

/**
 * Returns the weight of a change for the description of the turn: code before tests, settings and documents, then by
 * size.
 */
export function getChangeWeight(change: FileChange): number {
  const size = Math.min(change.added.length + change.removed.length, 400);
  const base = isProseFile(change.path)
    ? 0
    : isSettingsFile(change.path)
      ? 400
      : isTestFile(change.path)
        ? 800
        : 1_600;
  return base + size + (change.kind === 'deleted' ? 50 : 0);
}

/** Returns the change with the highest weight. */
export const mainChange = (changes: readonly FileChange[]): FileChange | undefined =>
  [...changes].sort((a, b) => getChangeWeight(b) - getChangeWeight(a))[0];

/** Returns the added comments as sentences. They often give the reason of a change. */
export function addedComments(change: FileChange): string[] {
  if (isProseFile(change.path)) return [];
  const runs: string[] = [];
  let previous = -2;
  change.added.slice(0, LINES).forEach((line, index) => {
    const text = /^\s*(?:\/\/+!?|#(?![![])|--|\*(?!\/)|\/\*\*?|;{1,2}|"""|<!--)\s?(.*?)\s*(?:\*\/|-->|""")?$/
      .exec(toSingleLine(line))?.[1]
      ?.trim();
    if (
      text === undefined ||
      text === '' ||
      /^(?:nolint|eslint|@|todo|fixme|noqa|type:|pylint|ts-|region|prettier)/i.test(text) ||
      /[{};]$/.test(text)
    )
      return;
    if (index === previous + 1 && runs.length > 0 && !/[.!?:。]$/.test(runs.at(-1)!))
      runs[runs.length - 1] = joinLines(runs.at(-1)!, text);
    else runs.push(text);
    previous = index;
  });
  return runs
    .filter((text) => text.split(/\s+/).length >= 6 || /[\u3040-\u30ff\u4e00-\u9fff]{8}/.test(text))
    .slice(0, 20);
}

const LIST_MARK = /^(?:[-*•]|\d+[.)])\s+/;
const SETTING = /^[\w.-]+=(?![=>])/;
const CAPITAL = /^\p{Lu}\p{Ll}*(?=[\s,:])/u;
/** Matches the end of a line whose sentence continues on the next line. */
const CONTINUED =
  /(?:[,(/&+=–—-]|\b(?:an?|and|are|as|at|but|by|for|from|if|in|into|is|of|on|or|per|than|that|the|this|to|until|via|when|where|which|while|with|without))$/i;

/** Joins two lines, with a semicolon before a line that starts a new item. */
function joinLines(text: string, next: string): string {
  const startsItem =
    LIST_MARK.test(next) || ((SETTING.test(next) || CAPITAL.test(next)) && !CONTINUED.test(text));
  return startsItem ? `${text}; ${next.replace(LIST_MARK, '')}` : `${text} ${next}`;
}
