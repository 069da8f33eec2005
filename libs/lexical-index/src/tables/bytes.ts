import { damaged } from './index-damage.js';

/** Most bytes that one number takes. */
export const NUMBER_BYTES = 8;

/** Writes a whole number from 0, seven bits per byte. Returns the end. */
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

/** Reads bytes one value after the other. */
export interface ByteReader {
  /** The position of the next value. */
  readonly at: number;
  /** @throws ClaudeMemError `storage/corrupt` */
  number(): number;
  /**
   * Skips bytes and returns their position.
   * @throws ClaudeMemError `storage/corrupt`
   */
  skip(count: number): number;
}

export function createByteReader(data: Uint8Array): ByteReader {
  let at = 0;
  return {
    get at() {
      return at;
    },
    number() {
      let value = 0;
      for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 0x80) {
        const part = data[at++];
        if (part === undefined) break;
        value += (part & 0x7f) * factor;
        if (part < 0x80 && value <= Number.MAX_SAFE_INTEGER) return value;
      }
      throw damaged();
    },
    skip(count) {
      if (count > data.length - at) throw damaged();
      at += count;
      return at - count;
    },
  };
}
