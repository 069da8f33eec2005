/** Some of the documents, by slot. */
export interface DocumentSet {
  /** How many there are. */
  readonly size: number;
  has(slot: number): boolean;
  /** One bit per slot. */
  readonly bits: Uint32Array;
}

/** A set of the slots below `end`, made by adding. */
export interface GrowingSet extends DocumentSet {
  readonly size: number;
  add(slot: number): void;
  remove(slot: number): void;
}

export function createDocumentSet(end: number): GrowingSet {
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
      if (place >= bits.length) bits = grown(bits, place + 1);
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

function grown(bits: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, Math.ceil(bits.length * 1.5)));
  larger.set(bits);
  return larger;
}
