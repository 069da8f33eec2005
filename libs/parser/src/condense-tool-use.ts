import {
  headAndTail,
  toSingleLine,
  toStorableText,
  truncate,
  wholeSlice,
  type JsonValue,
  type ObservedToolUse,
} from '@claude-mem/core';

/** Tools that only look: what they were asked tells more than what they answered. */
const LOOKING =
  /^(?:read|glob|grep|ls|list\w*|search\w*|notebookread|websearch|webfetch|todo\w*|task(?:list|get)|toolsearch|read_\w+|view\w*)$/i;
const LOOKING_RESPONSE = 240;
const FIELD_LIMIT = 24_000;
const VALUE_LIMIT = 8_000;
const MAX_DEPTH = 6;

export interface CondensedToolUse {
  name: string;
  outcome: 'succeeded' | 'failed' | 'interrupted';
  agent: string | null;
  input: string;
  response: string;
}

/** A tool use as text for the observer: no JSON noise, nothing said twice, long values by their beginning and end. */
export function condenseToolUse(use: ObservedToolUse): CondensedToolUse {
  const failed = use.outcome === 'failed';
  const isLooking = LOOKING.test(use.toolName) && !failed;
  const response = use.error ?? toPlainText(use.response);
  return {
    name: truncate(toSingleLine(toStorableText(use.toolName)), 80),
    outcome: use.isInterrupt ? 'interrupted' : use.outcome,
    agent: use.agentType ?? use.agentId,
    input: toPlainText(use.input),
    response: isLooking ? headOf(response) : response,
  };
}

function headOf(text: string): string {
  if (text.length <= LOOKING_RESPONSE) return text;
  return `${wholeSlice(text, 0, LOOKING_RESPONSE)}… [${text.length} characters in all]`;
}

/** JSON as lines of `key: value`; a lone string or a single field is written as it is. */
function toPlainText(value: JsonValue): string {
  const lines: string[] = [];
  collect(value, '', 0, lines);
  return headAndTail(toStorableText(lines.join('\n')), FIELD_LIMIT);
}

function collect(value: JsonValue, path: string, depth: number, lines: string[]): void {
  if (value === null || value === '' || value === false || lines.length > 400) return;
  if (typeof value !== 'object') {
    const text = headAndTail(String(value), VALUE_LIMIT);
    lines.push(path === '' ? text : `${path}: ${text}`);
    return;
  }
  if (depth >= MAX_DEPTH) {
    lines.push(`${path}: …`);
    return;
  }
  const diff = diffOf(value);
  const at = (key: string) => (path === '' ? toSingleLine(key) : `${path}.${toSingleLine(key)}`);
  const entries = Array.isArray(value)
    ? value.map((item: JsonValue, index) => [`${path}[${index}]`, item] as const)
    : Object.entries(value as Record<string, JsonValue>)
        .filter(([key]) => diff === null || (key !== 'old_string' && key !== 'new_string'))
        .map(([key, item]) => [at(key), item] as const);
  for (const [name, item] of entries) collect(item, name, depth + 1, lines);
  if (diff !== null) lines.push(diff);
}

/** An edit as the lines that differ: those that old and new text begin and end with alike say nothing. */
function diffOf(value: object): string | null {
  const { old_string: before, new_string: after } = value as Record<string, unknown>;
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
