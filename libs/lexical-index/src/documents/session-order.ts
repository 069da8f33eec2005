/** Marks a missing document. */
export const NONE = -1;

/**
 * The documents of each session as a linked list in the order of `compare`. Documents mostly arrive in this order.
 * Other sessions are sorted on demand.
 */
export interface SessionOrder {
  append(session: number, slot: number): void;
  remove(session: number, slot: number): void;
  /** NONE when the session has no document. */
  first(session: number): number;
  /** The next document of the session, or NONE. */
  next(session: number, slot: number): number;
  /** The previous document of the session, or NONE. */
  previous(session: number, slot: number): number;
}

export function createSessionOrder(compare: (left: number, right: number) => number): SessionOrder {
  let firsts = new Int32Array(0);
  let lasts = new Int32Array(0);
  let nexts = new Int32Array(0);
  let previouses = new Int32Array(0);
  const unordered = new Set<number>();

  const at = (links: Int32Array, place: number) => links[place] ?? NONE;

  function link(session: number, left: number, right: number): void {
    if (left === NONE) firsts[session] = right;
    else nexts[left] = right;
    if (right === NONE) lasts[session] = left;
    else previouses[right] = left;
  }

  function settle(session: number): void {
    if (unordered.size === 0 || !unordered.delete(session)) return;
    const slots: number[] = [];
    for (let slot = at(firsts, session); slot !== NONE; slot = at(nexts, slot)) slots.push(slot);
    slots.sort(compare);
    slots.forEach((slot, place) => link(session, slots[place - 1] ?? NONE, slot));
    link(session, slots.at(-1) ?? NONE, NONE);
  }

  return {
    append(session, slot) {
      firsts = grown(firsts, session + 1);
      lasts = grown(lasts, session + 1);
      nexts = grown(nexts, slot + 1);
      previouses = grown(previouses, slot + 1);
      const last = at(lasts, session);
      if (last !== NONE && compare(last, slot) > 0) unordered.add(session);
      link(session, last, slot);
      link(session, slot, NONE);
    },
    remove(session, slot) {
      link(session, at(previouses, slot), at(nexts, slot));
    },
    first(session) {
      settle(session);
      return at(firsts, session);
    },
    next(session, slot) {
      settle(session);
      return at(nexts, slot);
    },
    previous(session, slot) {
      settle(session);
      return at(previouses, slot);
    },
  };
}

function grown(links: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (links.length >= length) return links;
  const larger = new Int32Array(Math.max(length, Math.ceil(links.length * 1.25), 256)).fill(
    NONE,
    links.length,
  );
  larger.set(links);
  return larger;
}
