import { expect, it } from 'vitest';
import { flushTime } from './flush-time.js';

const settings = { maxCount: 20, maxBytes: 1_000, idleFlushMs: 300, lateFlushMs: 10 };
const turn = {
  sessionId: 1,
  promptNumber: 1,
  count: 3,
  bytes: 90,
  isOver: false,
  hasLaterPrompt: false,
  newestAtEpoch: 1_000,
  availableAtEpoch: 900,
};

it('is at once for a turn that is over, followed or full', () => {
  for (const change of [{ isOver: true }, { hasLaterPrompt: true }, { count: 20 }, { bytes: 1_000 }])
    expect(flushTime({ ...turn, ...change }, settings, false)).toBe(900);
});

it('is after silence for one that goes on, shorter when its end was processed before', () => {
  expect(flushTime(turn, settings, false)).toBe(1_300);
  expect(flushTime(turn, settings, true)).toBe(1_010);
});

it('is never before the first message is available', () => {
  expect(flushTime({ ...turn, availableAtEpoch: 5_000 }, settings, false)).toBe(5_000);
  expect(flushTime({ ...turn, availableAtEpoch: 5_000, isOver: true }, settings, false)).toBe(5_000);
});
