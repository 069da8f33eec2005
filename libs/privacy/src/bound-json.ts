import { headAndTail, type JsonValue } from '@claude-mem/core';
import { describeEncodedObject, describeEncodedText } from './encoded-content.js';

export interface BoundJsonLimits {
  /** Of the result as JSON in UTF-8. @default 65,536 */
  maxBytes?: number;
  /** Characters of one string. @default 16,000 */
  maxString?: number;
  /** Items of one array. @default 200 */
  maxItems?: number;
  /** Keys of one object. @default 200 */
  maxKeys?: number;
  /** @default 24 */
  maxDepth?: number;
}

type Bounds = Required<BoundJsonLimits> & {
  /** At least so many bytes are in the result by now. */
  spent: number;
};

/**
 * The value cut to what is worth keeping: long strings to head and tail, images and other encoded bytes to a word on type and size,
 * long lists, many keys and great depth to their beginning. The result as JSON is at most `maxBytes` long. Scrub first:
 * a secret that was cut in half is not recognised any more.
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
      spent: 0,
    };
    const bounded = boundValue(value, 0, bounds);
    if (bounds.spent <= maxBytes && bytesOf(bounded) <= maxBytes) return bounded;
  }
  const rest = headAndTail(
    JSON.stringify(
      boundValue(value, 0, {
        ...start,
        maxBytes: Infinity,
        maxString: 40,
        maxItems: 3,
        maxKeys: 8,
        maxDepth: 2,
        spent: 0,
      }),
    ),
    400,
  );
  return bytesOf(rest) <= maxBytes ? rest : maxBytes >= 13 ? '[too large]' : maxBytes >= 4 ? null : 0;
}

function boundValue(value: JsonValue, depth: number, limits: Bounds): JsonValue {
  // Too much already: the round is lost, what is left need not be looked at.
  if (limits.spent > limits.maxBytes) return null;
  limits.spent += 1;
  if (typeof value === 'string') {
    const bounded = boundString(value, limits.maxString);
    limits.spent += bounded.length;
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
  const kept = items.slice(0, limits.maxItems).map((item) => boundValue(item, depth + 1, limits));
  const left = items.length - kept.length;
  return left === 0 ? kept : [...kept, `[${left} more items left out]`];
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
const bytesOf = (value: JsonValue) => encoder.encode(JSON.stringify(value)).length;
