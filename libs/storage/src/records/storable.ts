import { headAndTail, toStorableText, truncate, type JsonValue } from '@claude-mem/core';
import { LIST_LIMITS, PAYLOAD_DEPTH, TEXT_LIMITS } from '../limits.js';

/** Normalizes a text for storage and cuts it to `limit`. */
export function storableText(text: string, limit: number): string {
  return truncate(toStorableText(text), limit);
}

export function storableOrNull(text: string | null | undefined, limit: number): string | null {
  return text === null || text === undefined ? null : storableText(text, limit);
}

/** `headAndTail` adds a note about the length of the removed part. */
const NOTE_LENGTH = 50;

/** Shortens a long reply to its beginning and end. A stored reply stays unchanged. */
export function storableReply(text: string): string {
  const limit = TEXT_LIMITS.agentReply;
  const storable = toStorableText(text);
  return storable.length <= limit ? storable : headAndTail(storable, limit - NOTE_LENGTH);
}

/** Normalizes the texts of a list and limits their length and number. */
export function storableList(
  texts: readonly string[],
  limit: keyof typeof TEXT_LIMITS,
  count: keyof typeof LIST_LIMITS,
): readonly string[] {
  return texts.slice(0, LIST_LIMITS[count]).map((text) => storableText(text, TEXT_LIMITS[limit]));
}

/** Serializes JSON with normalized texts and keys, and limits its depth for SQLite. */
export function storableJson(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null || value === undefined) return value ?? null;
  if (typeof value !== 'object') return String(value);
  if (depth >= PAYLOAD_DEPTH) return '[nested deeper]';
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableText(key), storableJson(item, depth + 1)]),
  );
}
