import { headAndTail, type JsonValue } from '@claude-mem/core';

/** Maximum length of a text that is read from a tool use, in UTF-16 code units. */
const TEXT_LIMIT = 60_000;
const LIST_LIMIT = 500;

/** Returns the value of the first existing field among `names`. */
export function getField(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly [key: string]: JsonValue };
  for (const name of names) {
    if (Object.hasOwn(fields, name) && fields[name] !== null) return fields[name];
  }
  return undefined;
}

/** Returns the first of the named fields that is a text, shortened to 60,000 UTF-16 code units. */
export function getText(value: JsonValue | undefined, ...names: readonly string[]): string | null {
  for (const name of names) {
    const field = getField(value, name);
    if (typeof field === 'string') return headAndTail(field, TEXT_LIMIT);
  }
  return null;
}

export function getList(value: JsonValue | undefined, ...names: readonly string[]): readonly JsonValue[] {
  for (const name of names) {
    const field = getField(value, name);
    if (Array.isArray(field)) return (field as readonly JsonValue[]).slice(0, LIST_LIMIT);
  }
  return [];
}

/** Returns the output of a tool, independent of the response format of the host. */
export function getOutput(response: JsonValue): string {
  return headAndTail(collect(response, 0), TEXT_LIMIT);
}

function collect(value: JsonValue | undefined, depth: number): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null || typeof value !== 'object' || depth > 4) return '';
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .slice(0, LIST_LIMIT)
      .map((item) => collect(item, depth + 1))
      .filter(Boolean)
      .join('\n');
  }
  const stdout = getText(value, 'stdout');
  if (stdout !== null) return [stdout, getText(value, 'stderr')].filter(Boolean).join('\n');
  for (const name of [
    'output',
    'text',
    'content',
    'llmContent',
    'result',
    'returnDisplay',
    'message',
    'error',
  ]) {
    const found = collect(getField(value, name), depth + 1);
    if (found !== '') return found;
  }
  return '';
}
