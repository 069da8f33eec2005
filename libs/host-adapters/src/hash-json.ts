import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of JSON values, equal for the same values in the same key order. Supports any depth, without
 * recursion.
 */
export function hashJson(value: unknown): string {
  const hash = createHash('sha256');
  const stack: { key: string | null; value: unknown }[] = [{ key: null, value }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.key !== null) hash.update(`${next.key.length}"${next.key}`);
    if (typeof next.value === 'object' && next.value !== null) {
      const isArray = Array.isArray(next.value);
      const entries = Object.entries(next.value);
      hash.update(`${isArray ? '[' : '{'}${entries.length}:`);
      for (const [key, item] of entries.reverse()) stack.push({ key: isArray ? null : key, value: item });
    } else {
      const text = String(next.value);
      hash.update(`${typeof next.value}${text.length}:`);
      hash.update(text);
    }
  }
  return hash.digest('hex');
}
