import { damaged } from './index-damage.js';

/** Maximum bytes of one number. */
export const NUMBER_BYTES = 8;

/** Writes a non-negative integer with seven bits per byte. Returns the end. */
export function writeNumber(target: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[at++] = rest;
  return at;
}

/** The position of the next value to read. */
export interface Cursor {
  at: number;
}

/**
 * Reads what `writeNumber` wrote.
 * @throws ClaudeMemError `storage/corrupt`
 */
export function readNumber(data: Uint8Array, cursor: Cursor): number {
  let { at } = cursor;
  let value = 0;
  for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 0x80) {
    const part = data[at++];
    if (part === undefined) break;
    value += (part & 0x7f) * factor;
    if (part >= 0x80 || value > Number.MAX_SAFE_INTEGER) continue;
    cursor.at = at;
    return value;
  }
  throw damaged();
}

/**
 * Skips bytes and returns their position.
 * @throws ClaudeMemError `storage/corrupt`
 */
export function skipBytes(data: Uint8Array, cursor: Cursor, count: number): number {
  if (count > data.length - cursor.at) throw damaged();
  cursor.at += count;
  return cursor.at - count;
}
