import { grownTo } from '../growing-array.js';

/** Some of the documents, by slot. */
export interface DocumentSet {
  /** How many there are. */
  readonly size: number;
  has(slot: number): boolean;
}

/** A set made by adding, one bit per slot. */
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

/** The documents of a set for which a test holds, found as they are asked for. */
export function narrowed(set: DocumentSet, end: number, test: (slot: number) => boolean): DocumentSet {
  let size: number | undefined;
  const has = (slot: number) => set.has(slot) && test(slot);
  return {
    get size() {
      if (size === undefined) {
        size = 0;
        for (let slot = 0; slot < end; slot += 1) if (has(slot)) size += 1;
      }
      return size;
    },
    has,
  };
}
