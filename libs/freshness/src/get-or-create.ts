/** Returns the cached value of a key. If there is none, calls `read` and caches the result. */
export function getOrCreate<Value>(known: Map<string, Value>, key: string, read: () => Value): Value {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
