import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createSessionOrder, NONE } from './session-order.js';

it('links the documents of each session in order after random additions and removals', () => {
  const random = randomFrom(9);
  for (let round = 0; round < 100; round += 1) {
    const times = Array.from({ length: 60 }, () => Math.floor(random() * 20));
    const compare = (left: number, right: number) => (times[left] ?? 0) - (times[right] ?? 0) || left - right;
    const order = createSessionOrder(compare);
    const sessions = new Map<number, number[]>();
    times.forEach((_, slot) => {
      const session = Math.floor(random() * 4);
      order.append(session, slot);
      const slots = [...(sessions.get(session) ?? []), slot];
      const [gone] = random() < 0.3 ? slots.splice(Math.floor(random() * slots.length), 1) : [];
      if (gone !== undefined) order.remove(session, gone);
      sessions.set(session, slots);
      if (random() < 0.2) expect(forwards(session)).toEqual(slots.toSorted(compare));
    });
    for (const [session, slots] of sessions) {
      const sorted = slots.toSorted(compare);
      expect(forwards(session)).toEqual(sorted);
      sorted.forEach((slot, place) => {
        expect(order.previous(session, slot)).toBe(sorted[place - 1] ?? NONE);
      });
    }
    expect(order.first(99)).toBe(NONE);

    function forwards(session: number): number[] {
      const found: number[] = [];
      for (let slot = order.first(session); slot !== NONE; slot = order.next(session, slot)) found.push(slot);
      return found;
    }
  }
});
