const MAX_DEPTH = 200;
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype'];

type Container = Record<string, unknown> | unknown[];

/**
 * Makes a parsed JSON value safe to read, merge and write, in place: levels below 200 become a word, keys that could
 * reach a prototype are removed, numbers out of range become null. No recursion.
 */
export function plainJson(value: unknown): unknown {
  if (!isContainer(value)) return finite(value);
  const stack: { container: Container; depth: number }[] = [{ container: value, depth: 1 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { container, depth } = next;
    const fields = container as Record<string, unknown>;
    for (const key of Object.keys(container)) {
      const item = fields[key];
      if (!Array.isArray(container) && PROTOTYPE_KEYS.includes(key) && isUnsafe(key, item)) {
        delete fields[key];
      } else if (!isContainer(item)) {
        if (typeof item === 'number' && !Number.isFinite(item)) fields[key] = null;
      } else if (depth >= MAX_DEPTH) fields[key] = '[nested too deep]';
      else stack.push({ container: item, depth: depth + 1 });
    }
  }
  return value;
}

/** A field named `constructor` is common in code. Only an object as its value can be an attack. */
const isUnsafe = (key: string, item: unknown) => key === '__proto__' || isContainer(item);

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const finite = (value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? null : value);
