import { headAndTail, toSingleLine, type JsonValue } from '@claude-mem/core';
import { hideEncoded } from './condense-text.js';

const VALUE_LIMIT = 4_000;
const TEXT_LIMIT = 6_000;
const MAX_LINES = 400;
const MAX_DEPTH = 6;

/** Keys whose value needs no label. */
const UNLABELED_KEYS =
  /^(?:command|cmd|file_?path|path|pattern|content|text|stdout|stderr|output|message|plan|prompt|query|url|patch|input)$/i;
/** Keys about the execution of the tool, such as its options and duration. */
const TOOL_METADATA_KEYS =
  /(?:timeout|duration\w*|ms|bytes|tokens|offset|limit|usage|interrupted|_?id|header|isImage|run_in_background)$/i;

/**
 * Formats JSON as lines of `key: value`. Empty values and texts in `knownTexts` are skipped. An edit is reduced to its
 * changed lines.
 */
export function formatJson(value: JsonValue, knownTexts: ReadonlySet<string> = new Set()): string {
  const lines: string[] = [];
  collect(value, '', 0, lines, knownTexts);
  return headAndTail(lines.join('\n'), TEXT_LIMIT);
}

/** Returns all texts of a value. */
export function collectTexts(value: JsonValue): ReadonlySet<string> {
  const texts = new Set<string>();
  const open: JsonValue[] = [value];
  while (open.length > 0 && texts.size < 1_000) {
    const next = open.pop() as JsonValue;
    if (typeof next === 'string') texts.add(next);
    else if (next !== null && typeof next === 'object') open.push(...Object.values(next as object));
  }
  return texts;
}

function collect(
  value: JsonValue,
  key: string,
  depth: number,
  lines: string[],
  knownTexts: ReadonlySet<string>,
): void {
  if (value === null || value === '' || typeof value === 'boolean' || lines.length > MAX_LINES) return;
  if (typeof value !== 'object') {
    // The answer to a question is one of the options that `knownTexts` contains as a key.
    if (typeof value === 'string' && knownTexts.has(value) && !knownTexts.has(key)) return;
    const isPlain = key === '' || UNLABELED_KEYS.test(key) || knownTexts.has(key);
    const text = headAndTail(hideEncoded(String(value)), VALUE_LIMIT);
    lines.push(isPlain ? text : `${toSingleLine(key)}: ${text}`);
    return;
  }
  if (depth >= MAX_DEPTH) {
    lines.push('…');
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, '', depth + 1, lines, knownTexts);
    return;
  }
  const record = value as Record<string, JsonValue>;
  const diff = formatDifference(record);
  for (const [name, item] of Object.entries(record))
    if (!isSkipped(name, record, diff)) collect(item, name, depth + 1, lines, knownTexts);
  if (diff !== null) lines.push(diff);
}

function isSkipped(key: string, record: Record<string, JsonValue>, diff: string | null): boolean {
  if (diff !== null && (key === 'old_string' || key === 'new_string')) return true;
  if (key === 'description') return 'command' in record || 'label' in record;
  if (key === 'type') return 'text' in record || 'file' in record;
  return TOOL_METADATA_KEYS.test(key) && typeof record[key] !== 'object';
}

/** Omits the common lines at the beginning and end of the old and the new text. */
function formatDifference({
  old_string: before,
  new_string: after,
}: Record<string, JsonValue>): string | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const side = (sign: string, all: readonly string[]) => {
    const changed = all.slice(head, all.length - tail).map((line) => `${sign} ${line}`);
    return changed.length === 0 ? [] : [headAndTail(changed.join('\n'), VALUE_LIMIT)];
  };
  return [...side('-', old), ...side('+', now)].join('\n');
}
