import { headAndTail, type JsonValue } from '@claude-mem/core';

/** No single text of a tool use is read further than this. */
const TEXT_LIMIT = 60_000;
const LIST_LIMIT = 500;

/** The value of the first of the named fields that is there. */
export function fieldOf(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly [key: string]: JsonValue };
  for (const name of names) {
    if (Object.hasOwn(fields, name) && fields[name] !== null) return fields[name];
  }
  return undefined;
}

/** The first of the named fields that is a text, bounded. */
export function textOf(value: JsonValue | undefined, ...names: readonly string[]): string | null {
  for (const name of names) {
    const field = fieldOf(value, name);
    if (typeof field === 'string') return headAndTail(field, TEXT_LIMIT);
  }
  return null;
}

export function listOf(value: JsonValue | undefined, ...names: readonly string[]): readonly JsonValue[] {
  for (const name of names) {
    const field = fieldOf(value, name);
    if (Array.isArray(field)) return (field as readonly JsonValue[]).slice(0, LIST_LIMIT);
  }
  return [];
}

/** What a tool printed or returned, whatever shape the host gives it. */
export function outputOf(response: JsonValue): string {
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
  const stdout = textOf(value, 'stdout');
  if (stdout !== null) return [stdout, textOf(value, 'stderr')].filter(Boolean).join('\n');
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
    const found = collect(fieldOf(value, name), depth + 1);
    if (found !== '') return found;
  }
  return '';
}
