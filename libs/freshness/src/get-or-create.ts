/** Returns the known value of a key. Without one, reads the value and adds it. */
export function getOrCreate<Value>(known: Map<string, Value>, key: string, read: () => Value): Value {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
