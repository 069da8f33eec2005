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
const FIELD_LIMIT = 32_000;
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
    lines.push(path === '' ? String(value) : `${path}: ${String(value)}`);
    return;
  }
  if (depth >= MAX_DEPTH) {
    lines.push(`${path}: …`);
    return;
  }
  const entries = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : Object.entries(value).map(([key, item]) => [path === '' ? toSingleLine(key) : `${path}.${toSingleLine(key)}`, item] as const); // prettier-ignore
  for (const [name, item] of entries) collect(item as JsonValue, name, depth + 1, lines);
}
