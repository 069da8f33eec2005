import { bitsIn } from '../bits-in.js';
import { grownTo } from '../growing-array.js';

/** A set of documents, by slot. */
export interface DocumentSet {
  /** Number of documents in the set. */
  readonly size: number;
  /**
   * One bit per slot, for loops over many slots: `(bits[slot >>> 5] >>> (slot & 31)) & 1` is twenty times faster than
   * a call.
   */
  readonly bits: Uint32Array;
  has(slot: number): boolean;
}

/** A mutable set with one bit per slot. */
export interface GrowingSet extends DocumentSet {
  add(slot: number): void;
  remove(slot: number): void;
}

export function createDocumentSet(
  /** Initial capacity. Most slots are below this. */
  end: number,
): GrowingSet {
  let bits = new Uint32Array((end + 31) >>> 5);
  let size = 0;

  const has = (slot: number) => (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
  return {
    get size() {
      return size;
    },
    get bits() {
      return bits;
    },
    has,
    add(slot) {
      if (has(slot)) return;
      const place = slot >>> 5;
      bits = grownTo(bits, place + 1);
      bits[place] = (bits[place] ?? 0) | (1 << (slot & 31));
      size += 1;
    },
    remove(slot) {
      if (!has(slot)) return;
      const place = slot >>> 5;
      bits[place] = (bits[place] ?? 0) & ~(1 << (slot & 31));
      size -= 1;
    },
  };
}

/** Creates a set from bits, which must not be changed afterwards. */
export function setOfBits(bits: Uint32Array): DocumentSet {
  let size: number | undefined;
  return {
    get size() {
      return (size ??= bits.reduce((sum, word) => sum + bitsIn(word), 0));
    },
    bits,
    has: (slot) => (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1,
  };
}
