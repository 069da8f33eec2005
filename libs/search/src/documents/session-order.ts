/** The documents of each session: chained as they come, put in order for the sessions that are asked for. */
export interface SessionOrder {
  append(session: number, slot: number): void;
  /** A document of the session was removed. */
  forget(session: number): void;
  /** The documents that are there, in the order of `compare`. */
  of(
    session: number,
    isLive: (slot: number) => boolean,
    compare: (left: number, right: number) => number,
  ): readonly number[];
}

const NONE = 0xffffffff;
/** So many sessions are kept in order, then all are let go. */
const LARGEST_CACHE = 4096;

export function createSessionOrder(): SessionOrder {
  let last = new Uint32Array(256).fill(NONE);
  let previous = new Uint32Array(1024);
  const sorted = new Map<number, readonly number[]>();
  return {
    append(session, slot) {
      if (session >= last.length) last = grown(last, session + 1);
      if (slot >= previous.length) previous = grown(previous, slot + 1);
      previous[slot] = last[session] ?? NONE;
      last[session] = slot;
      sorted.delete(session);
    },
    forget(session) {
      sorted.delete(session);
    },
    of(session, isLive, compare) {
      const known = sorted.get(session);
      if (known) return known;
      const slots: number[] = [];
      for (let slot = last[session] ?? NONE; slot !== NONE; slot = previous[slot] ?? NONE)
        if (isLive(slot)) slots.push(slot);
      slots.reverse().sort(compare);
      if (sorted.size >= LARGEST_CACHE) sorted.clear();
      sorted.set(session, slots);
      return slots;
    },
  };
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, Math.ceil(array.length * 1.25))).fill(NONE);
  larger.set(array);
  return larger;
}
