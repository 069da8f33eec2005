import { StorageError } from '../storage-error.js';

/** Writes numbers and texts close together, growing as needed. */
export interface ByteWriter {
  /** A whole number from 0; small ones take one byte. */
  number(value: number): void;
  bytes(value: Uint8Array): void;
  /** With its length before it. */
  text(value: string): void;
  /** What was written so far, as a copy. */
  finish(): Uint8Array;
}

export function createByteWriter(capacity = 256): ByteWriter {
  let buffer = Buffer.allocUnsafe(capacity);
  let end = 0;
  const reserve = (count: number) => {
    if (end + count <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + count));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  };
  const number = (value: number) => {
    reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      buffer[end++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[end++] = rest;
  };
  return {
    number,
    bytes(value) {
      reserve(value.length);
      buffer.set(value, end);
      end += value.length;
    },
    text(value) {
      const length = Buffer.byteLength(value);
      number(length);
      reserve(length);
      end += buffer.write(value, end, 'utf8');
    },
    finish: () => Uint8Array.prototype.slice.call(buffer, 0, end),
  };
}

/** A part of the index that cannot be read; building it anew helps. */
export function damaged(): StorageError {
  return new StorageError('storage/corrupt', 'the search index is damaged; run: claude-mem reindex');
}
