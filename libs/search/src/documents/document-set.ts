import { bitsIn } from '../bits-in.js';
import { grownTo } from '../growing-array.js';

/** Some of the documents, by slot. */
export interface DocumentSet {
  /** How many there are. */
  readonly size: number;
  /** One bit per slot, for loops over very many of them: `(bits[slot >>> 5] >>> (slot & 31)) & 1`, since a call costs them a twentieth. */
  readonly bits: Uint32Array;
  has(slot: number): boolean;
}

/** A set that changes, one bit per slot. */
export interface GrowingSet extends DocumentSet {
  add(slot: number): void;
  remove(slot: number): void;
}

export function createDocumentSet(
  /** Slots are mostly below this. */
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

/** The documents whose bits are set; they are not to be changed afterwards. */
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
