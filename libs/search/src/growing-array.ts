type Numbers = Uint8Array | Int16Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array, or a larger one with the same beginning; grows by a quarter, so that large ones leave little unused. */
export function grownTo<Array extends Numbers>(array: Array, length: number): Array {
  if (array.length >= length) return array;
  const larger = new (array.constructor as new (length: number) => Array)(
    Math.max(length, Math.ceil(array.length * 1.25), 256),
  );
  larger.set(array);
  return larger;
}
