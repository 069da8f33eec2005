/** Scales numbers to a vector of length 1. Zeros stay zeros. Returns null when a number is not finite. */
export function toUnitVector(numbers: unknown): Float32Array | null {
  if (!Array.isArray(numbers) || numbers.length === 0) return null;
  const vector = Float32Array.from(numbers as readonly number[]);
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) return null;
  return length === 0 ? vector : vector.map((value) => value / length);
}
