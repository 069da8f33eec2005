import type { JsonValue } from '@claude-mem/core';
import { json } from '../create-event-reader.js';
import { parseJson } from '../parse-json.js';
import { plainJson } from '../plain-json.js';
import { repairJson } from '../repair-json.js';

/**
 * A field that holds JSON as text: the value in it. What was never text is taken as it is, and so is text that is no JSON
 * object, list or text, also after repair.
 */
export function readJsonText(value: unknown): JsonValue {
  if (typeof value !== 'string') return json(value);
  const text = value.trim();
  if (!/^[{["]/.test(text)) return value;
  const parsed = parseJson(text) ?? parseJson(repairJson(text, { isAlone: true }) ?? '');
  return parsed ? json(plainJson(parsed.value)) : value;
}
