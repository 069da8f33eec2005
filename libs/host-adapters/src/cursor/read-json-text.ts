import type { JsonValue } from '@claude-mem/core';
import { json } from '../create-event-reader.js';
import { parseJson } from '../parse-json.js';
import { plainJson } from '../plain-json.js';
import { repairJson } from '../repair-json.js';

/**
 * Parses a field with JSON as text. Other values, and text that is not JSON even after a repair, are returned
 * unchanged.
 */
export function readJsonText(value: unknown): JsonValue {
  if (typeof value !== 'string') return json(value);
  const text = value.trim();
  if (!/^[{["]/.test(text)) return value;
  const parsed = parseJson(text) ?? parseJson(repairJson(text, { isAlone: true }) ?? '');
  return parsed ? json(plainJson(parsed.value)) : value;
}
