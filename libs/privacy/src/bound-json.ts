import { headAndTail, type JsonValue } from '@claude-mem/core';
import { describeEncodedObject, describeEncodedText } from './encoded-content.js';

export interface BoundJsonLimits {
  /** Maximum size of the result as JSON in UTF-8. @default 65,536 */
  maxBytes?: number;
  /** Maximum characters of one string. @default 16,000 */
  maxString?: number;
  /** Maximum items of one array. @default 200 */
  maxItems?: number;
  /** Maximum keys of one object. @default 200 */
  maxKeys?: number;
  /** Maximum nesting depth. @default 24 */
  maxDepth?: number;
}

type Bounds = Required<BoundJsonLimits> & {
  /** Minimum size of the current result in bytes. */
  byteCount: number;
};

/**
 * Limits the size of a value.
 * Long strings keep their beginning and end. Images and other encoded bytes are replaced with their type and size. Long
 * lists, many keys and deep nesting keep their beginning. The result as JSON has at most `maxBytes`.
 * Scrub the value first, because a truncated secret is not recognized.
 */
export function boundJson(value: JsonValue, limits: BoundJsonLimits = {}): JsonValue {
  const maxBytes = limits.maxBytes ?? 65_536;
  const start: Required<BoundJsonLimits> = {
    maxBytes,
    maxString: limits.maxString ?? 16_000,
    maxItems: limits.maxItems ?? 200,
    maxKeys: limits.maxKeys ?? 200,
    maxDepth: limits.maxDepth ?? 24,
  };
  for (let round = 0; round < 10; round += 1) {
    const factor = 2 ** round;
    const bounds: Bounds = {
      maxBytes,
      maxString: Math.max(40, Math.floor(start.maxString / factor)),
      maxItems: Math.max(3, Math.floor(start.maxItems / factor)),
      maxKeys: Math.max(8, Math.floor(start.maxKeys / factor)),
      maxDepth: Math.max(3, Math.floor(start.maxDepth / Math.sqrt(factor))),
      byteCount: 0,
    };
    const bounded = boundValue(value, 0, bounds);
    if (bounds.byteCount <= maxBytes && countBytes(bounded) <= maxBytes) return bounded;
  }
  const nextItems = headAndTail(
    JSON.stringify(
      boundValue(value, 0, {
        ...start,
        maxBytes: Infinity,
        maxString: 40,
        maxItems: 3,
        maxKeys: 8,
        maxDepth: 2,
        byteCount: 0,
      }),
    ),
    400,
  );
  return countBytes(nextItems) <= maxBytes
    ? nextItems
    : maxBytes >= 13
      ? '[too large]'
      : maxBytes >= 4
        ? null
        : 0;
}

function boundValue(value: JsonValue, depth: number, limits: Bounds): JsonValue {
  // The result of this round is already too large, so the remaining values are skipped.
  if (limits.byteCount > limits.maxBytes) return null;
  limits.byteCount += 1;
  if (typeof value === 'string') {
    const bounded = boundString(value, limits.maxString);
    limits.byteCount += bounded.length;
    return bounded;
  }
  if (typeof value !== 'object' || value === null) return value;
  const isArray = Array.isArray(value);
  if (depth >= limits.maxDepth) {
    return isArray ? `[list of ${value.length}]` : `[object with ${Object.keys(value).length} fields]`;
  }
  return isArray
    ? boundArray(value, depth, limits)
    : boundRecord(value as Record<string, JsonValue>, depth, limits);
}

function boundString(text: string, limit: number): string {
  const encoded = describeEncodedText(text);
  return encoded ?? headAndTail(text, limit);
}

function boundArray(items: readonly JsonValue[], depth: number, limits: Bounds): JsonValue {
  const included = items.slice(0, limits.maxItems).map((item) => boundValue(item, depth + 1, limits));
  const left = items.length - included.length;
  return left === 0 ? included : [...included, `[${left} more items left out]`];
}

function boundRecord(record: Record<string, JsonValue>, depth: number, limits: Bounds): JsonValue {
  const encoded = describeEncodedObject(record);
  if (encoded !== null) return encoded;
  const keys = Object.keys(record);
  const result: Record<string, JsonValue> = {};
  for (const key of keys.slice(0, limits.maxKeys)) {
    Object.defineProperty(result, headAndTail(key, Math.min(200, limits.maxString)), {
      value: boundValue(record[key] ?? null, depth + 1, limits),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  if (keys.length > limits.maxKeys) result['…'] = `[${keys.length - limits.maxKeys} more fields left out]`;
  return result;
}

const encoder = new TextEncoder();
const countBytes = (value: JsonValue) => encoder.encode(JSON.stringify(value)).length;
