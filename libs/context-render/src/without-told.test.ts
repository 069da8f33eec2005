import { expect, it } from 'vitest';
import { material, observation, summary } from './__fixtures__/memory.js';
import { withoutTold } from './without-told.js';

const MEMORY = material({
  observations: [observation(4), observation(3), observation(2, { title: 'RECORD  4' }), observation(1)],
  pinned: [observation(9)],
  summaries: [summary(7), summary(6)],
  totalObservations: 5,
});

it('leaves out what is told, what says the same, and where it stands', () => {
  const { material: rest, leftOut } = withoutTold(MEMORY, { shown: [4, 9], tokens: 100, summary: 7 });
  expect(rest.observations.map(({ id }) => id)).toEqual([3, 1]);
  expect([rest.pinned, rest.summaries, rest.totalObservations]).toEqual([[], [], 5]);
  expect(leftOut.map(({ id }) => id).sort()).toEqual([2, 4, 9]);
});

it('tells where it stands when that is newer than what is told', () => {
  expect(withoutTold(MEMORY, { shown: [4], tokens: 100, summary: 6 }).material.summaries).toHaveLength(2);
  expect(withoutTold(MEMORY, { shown: [4], tokens: 100, summary: null }).material.summaries).toHaveLength(2);
});

it('leaves everything where nothing is told', () => {
  expect(withoutTold(MEMORY, null)).toEqual({ material: MEMORY, leftOut: [] });
});
