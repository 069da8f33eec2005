/** Lengths up to this number are exact. */
const EXACT = 40;
const LARGEST = 200_000;
const STEP = (LARGEST / EXACT) ** (1 / (255 - EXACT));

const LENGTHS = Float64Array.from({ length: 256 }, (_, byte) =>
  byte <= EXACT ? byte : Math.round(EXACT * STEP ** (byte - EXACT)),
);

/** Encodes the number of words in a field as one byte: exact for short fields, within 2 % for long ones. */
export function byteOfLength(length: number): number {
  if (length <= EXACT) return Math.max(0, Math.trunc(length));
  return Math.min(255, EXACT + Math.round(Math.log(length / EXACT) / Math.log(STEP)));
}

export function lengthOfByte(byte: number): number {
  return LENGTHS[byte] ?? 0;
}
