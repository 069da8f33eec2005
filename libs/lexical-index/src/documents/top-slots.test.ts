import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createTopSlots } from './top-slots.js';

it('keeps the same entries as sorting all and cutting to the limit', () => {
  const random = randomFrom(5);
  for (let round = 0; round < 300; round += 1) {
    const scores = Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 8));
    const limit = Math.floor(random() * 20);
    const top = createTopSlots(limit, (left, right) => right - left);
    const slots = scores.map((_, slot) => slot).sort(() => random() - 0.5);
    for (const slot of slots) top.offer(slot, scores[slot] ?? 0);
    const sorted = scores
      .map((score, slot) => ({ slot, score }))
      .sort((left, right) => right.score - left.score || right.slot - left.slot)
      .slice(0, limit);
    expect(top.sorted()).toEqual(sorted);
    expect(top.floor).toBe(
      limit === 0 ? Infinity : sorted.length < limit ? -Infinity : (sorted.at(-1)?.score ?? 0),
    );
  }
});
