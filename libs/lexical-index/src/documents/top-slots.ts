/**
 * Selects the best `limit` items with a heap whose root is the worst item. `compare` must order any two different
 * slots, so that the result does not depend on the input order.
 */
export interface TopSlots {
  /** The minimum score for a place among the best. -Infinity until the heap is full. */
  readonly floor: number;
  offer(slot: number, score: number): void;
  /** Best first. */
  sorted(): readonly { slot: number; score: number }[];
}

export function createTopSlots(limit: number, compare: (left: number, right: number) => number): TopSlots {
  const slots: number[] = [];
  const scores: number[] = [];
  let floor = limit > 0 ? -Infinity : Infinity;

  const isWorse = (slot: number, score: number, otherSlot: number, otherScore: number) =>
    score < otherScore || (score === otherScore && compare(otherSlot, slot) < 0);

  function sink(slot: number, score: number): void {
    const { length } = slots;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (
        child + 1 < length &&
        isWorse(at(slots, child + 1), at(scores, child + 1), at(slots, child), at(scores, child))
      )
        child += 1;
      if (!isWorse(at(slots, child), at(scores, child), slot, score)) break;
      slots[place] = at(slots, child);
      scores[place] = at(scores, child);
      place = child;
    }
    slots[place] = slot;
    scores[place] = score;
  }

  function rise(slot: number, score: number): void {
    let place = slots.length;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!isWorse(slot, score, at(slots, parent), at(scores, parent))) break;
      slots[place] = at(slots, parent);
      scores[place] = at(scores, parent);
      place = parent;
    }
    slots[place] = slot;
    scores[place] = score;
  }

  return {
    get floor() {
      return floor;
    },
    offer(slot, score) {
      if (score < floor) return;
      if (slots.length < limit) {
        rise(slot, score);
        if (slots.length === limit) floor = at(scores, 0);
        return;
      }
      if (limit === 0 || isWorse(slot, score, at(slots, 0), at(scores, 0))) return;
      sink(slot, score);
      floor = at(scores, 0);
    },
    sorted: () =>
      slots
        .map((slot, place) => ({ slot, score: at(scores, place) }))
        .sort((left, right) => right.score - left.score || compare(left.slot, right.slot)),
  };
}

const at = (numbers: readonly number[], place: number) => numbers[place] ?? 0;
