import type { JsonValue } from '@claude-mem/core';
import { redaction } from './scrub-known-secrets.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';
import { classifyName, type NameKind } from './secret-names.js';
import { isSecretValue, looksRandom } from './secret-values.js';

export interface ScrubbedJson {
  value: JsonValue;
  /** Number of removed blocks and secrets. */
  removed: number;
}

export interface ScrubJsonOptions {
  /** Function applied to every string. @default scrubText */
  scrubString?: (text: string) => ScrubbedText;
  /** Maximum items of one array. Later items become null. @default Infinity */
  maxItems?: number;
  /** Called with each replaced value under a sensitive name that no user would type as a word. */
  onSecret?: (value: string) => void;
}

/** No host nests deeper. Deeper values are replaced with a note. */
const MAX_DEPTH = 200;
const TOO_DEEP = '[nested too deep]';

/**
 * Returns a scrubbed copy of any value as JSON. Never throws.
 * Every string and key is scrubbed. Values under sensitive names are replaced, also when the name is in another field
 * (`{ name, value }`, `["Authorization", "…"]`, `["--password", "…"]`). Values that JSON cannot represent become text
 * or null. Cycles and great depth are cut.
 */
export function scrubJson(value: unknown, options: ScrubJsonOptions = {}): ScrubbedJson {
  const { scrubString = scrubText, maxItems = Infinity, onSecret = () => undefined } = options;
  const walk: Walk = { removed: 0, onSecret, scrubString, maxItems, ancestors: new Set() };
  return { value: scrubValue(value, null, 0, walk), removed: walk.removed };
}

interface Walk {
  removed: number;
  onSecret: (value: string) => void;
  scrubString: (text: string) => ScrubbedText;
  maxItems: number;
  ancestors: Set<object>;
}

function scrubValue(value: unknown, kind: NameKind | null, depth: number, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
      return scrubString(value, kind, walk);
    case 'number':
      if (kind === 'password' && Number.isInteger(value) && Math.abs(value) >= 1_000)
        return redact(kind, walk);
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return value;
    case 'bigint':
      return kind === 'password' ? redact(kind, walk) : String(value);
    case 'object':
      return value === null ? null : scrubObject(value, kind, depth, walk);
    default:
      return null;
  }
}

function scrubObject(value: object, kind: NameKind | null, depth: number, walk: Walk): JsonValue {
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (walk.ancestors.has(value)) return '[circular]';
  walk.ancestors.add(value);
  try {
    if (Array.isArray(value)) return scrubArray(value, kind, depth, walk);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    return scrubRecord(value as Record<string, unknown>, kind, depth, walk);
  } finally {
    walk.ancestors.delete(value);
  }
}

function scrubArray(items: readonly unknown[], kind: NameKind | null, depth: number, walk: Walk): JsonValue {
  return items.map((item, index) => {
    if (index >= walk.maxItems) return null;
    const before = index > 0 ? items[index - 1] : undefined;
    const isPair = items.length === 2 || (index > 1 && items[index - 2] === 'set');
    return scrubValue(item, kind ?? getKindFromNeighbor(before, item, isPair), depth + 1, walk);
  });
}

/**
 * Returns the kind of secret in `["--password", "x"]` and `["set", "api_key", "x"]` of a command, and in
 * `["Authorization", "x"]` of a header list.
 */
function getKindFromNeighbor(before: unknown, item: unknown, isPair: boolean): NameKind | null {
  if (typeof before !== 'string' || typeof item !== 'string' || before.length > 100) return null;
  const isFlag = /^--?[A-Za-z][\w-]*$/.test(before);
  const kind = /^[\w.-]+$/.test(before) ? classifyName(before) : null;
  if (kind === null || item.startsWith('-')) return null;
  if (isFlag) return kind === 'token' ? 'secret' : kind;
  if (kind === 'header' || kind === 'cookie') return kind;
  return isPair && looksRandom(item) ? kind : null;
}

function scrubRecord(
  record: Record<string, unknown>,
  kind: NameKind | null,
  depth: number,
  walk: Walk,
): JsonValue {
  const result: Record<string, JsonValue> = {};
  const counts = new Map<string, number>();
  const paired = getKindOfPair(record);
  const isKubernetesSecret = record['kind'] === 'Secret';
  const isJsonWebKey = typeof record['kty'] === 'string';
  for (const key of Object.keys(record)) {
    let inner = classifyName(key) ?? (kind === 'secret' || kind === 'password' ? kind : null);
    if (paired !== null && /^(?:value|val|v|content|default|defaultValue)$/i.test(key)) inner = paired;
    if (isKubernetesSecret && (key === 'data' || key === 'stringData')) inner = 'secret';
    if (isJsonWebKey && /^(?:d|p|q|dp|dq|qi|k)$/.test(key)) inner = 'key';
    const name = createUniqueName(scrubKey(key, walk), result, counts);
    result[name] = scrubValue(read(record, key), inner, depth + 1, walk);
  }
  return result;
}

function getKindOfPair(record: Record<string, unknown>): NameKind | null {
  for (const property of ['name', 'key', 'header', 'field', 'variable', 'Name', 'Key', 'k', 'id']) {
    const name = record[property];
    if (typeof name !== 'string' || name.length > 100) continue;
    const kind = classifyName(name);
    if (kind !== null) return kind === 'token' ? 'secret' : kind;
  }
  return null;
}

function scrubString(text: string, kind: NameKind | null, walk: Walk): string {
  if (kind !== null && isSecretValue(text, kind, 'quoted')) {
    if (looksRandom(text)) walk.onSecret(text);
    const scheme = kind === 'header' ? (/^\s*[A-Za-z0-9-]{1,24}[ \t]+(?=\S)/.exec(text)?.[0] ?? '') : '';
    return scheme + redact(kind, walk);
  }
  const result = walk.scrubString(text);
  walk.removed += result.removed;
  return result.text;
}

function redact(kind: NameKind, walk: Walk): string {
  walk.removed += 1;
  return redaction(kind);
}

function scrubKey(key: string, walk: Walk): string {
  if (/^[A-Za-z_][\w$]{0,23}$/.test(key) && key !== '__proto__') return key;
  const result = scrubText(key);
  walk.removed += result.removed;
  // This property would be harmless here, but not in code that assigns it to another object.
  return result.text === '__proto__' ? '[__proto__]' : result.text;
}

/**
 * Returns an unused name for keys that became equal. `counts` contains the last number of each key, because counting
 * again takes quadratic time.
 */
function createUniqueName(
  name: string,
  usedNames: Record<string, JsonValue>,
  counts: Map<string, number>,
): string {
  if (!Object.hasOwn(usedNames, name)) return name;
  let count = (counts.get(name) ?? 1) + 1;
  while (Object.hasOwn(usedNames, `${name} (${count})`)) count += 1;
  counts.set(name, count);
  return `${name} (${count})`;
}

/** A getter of a foreign object can throw. */
function read(record: Record<string, unknown>, key: string): unknown {
  try {
    return record[key];
  } catch (error) {
    return `[unreadable: ${error instanceof Error ? error.name : 'error'}]`;
  }
}
