/** A larger value would overflow the sum of a scan. */
export const MAX_DIMENSIONS = 8192;

/**
 * Quantizes a vector to one byte per number. Number times `scale` is a vector of length 1, so products of two are
 * cosines. `scale` is exact as a float32. Returns null for zero vectors and invalid numbers.
 */
export function quantizeDocument(vector: Float32Array): { values: Int8Array; scale: number } | null {
  return quantize(vector, 127, new Int8Array(vector.length));
}

/** Quantizes a query to two bytes per number, which costs no more and ranks better. */
export function quantizeQuery(vector: Float32Array): { values: Int16Array; scale: number } | null {
  return quantize(vector, 2047, new Int16Array(vector.length));
}

function quantize<Values extends Int8Array | Int16Array>(
  vector: Float32Array,
  largest: number,
  values: Values,
): { values: Values; scale: number } | null {
  let peak = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) return null;
    if (Math.abs(value) > peak) peak = Math.abs(value);
  }
  if (peak === 0) return null;
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) {
    const value = Math.round((vector[index]! / peak) * largest);
    values[index] = value;
    squares += value * value;
  }
  return { values, scale: Math.fround(1 / Math.sqrt(squares)) };
}
