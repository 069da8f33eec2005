type Numbers = Uint8Array | Int16Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Returns the array, or a larger copy. It grows by a quarter, so that large arrays waste little memory. */
export function grownTo<Array extends Numbers>(array: Array, length: number): Array {
  if (array.length >= length) return array;
  const larger = new (array.constructor as new (length: number) => Array)(
    Math.max(length, Math.ceil(array.length * 1.25), 256),
  );
  larger.set(array);
  return larger;
}
