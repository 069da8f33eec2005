import { expect, it } from 'vitest';
import { flushTime } from './flush-time.js';

const settings = {
  maxCount: 20,
  maxBytes: 1_000,
  maxTurns: () => 3,
  idleFlushMs: 300,
  lateFlushMs: 10,
  conversationFlushMs: 600,
};
const goesOn = { progress: 'none', flushedAt: -Infinity } as const;
const turn = {
  sessionId: 1,
  promptNumber: 1,
  turns: 1,
  isConversation: false,
  isSessionOver: false,
  count: 3,
  bytes: 90,
  isOver: false,
  hasLaterPrompt: false,
  firstAtEpoch: 800,
  newestAtEpoch: 1_000,
  availableAtEpoch: 900,
};

it('is at once for a turn that is over, followed or full', () => {
  for (const change of [{ isOver: true }, { hasLaterPrompt: true }, { count: 20 }, { bytes: 1_000 }])
    expect(flushTime({ ...turn, ...change }, settings, goesOn)).toBe(900);
});

it('is after silence for one that goes on, shorter when its end was processed before', () => {
  expect(flushTime(turn, settings, goesOn)).toBe(1_300);
  expect(flushTime(turn, settings, { ...goesOn, progress: 'ended' })).toBe(1_010);
});

it('is never before the first message is available', () => {
  expect(flushTime({ ...turn, availableAtEpoch: 5_000 }, settings, goesOn)).toBe(5_000);
  expect(flushTime({ ...turn, availableAtEpoch: 5_000, isOver: true }, settings, goesOn)).toBe(5_000);
});

it('is at once for work that was asked for, and not for what only surrounds it or came later', () => {
  const flushed = { ...goesOn, flushedAt: 800 };
  expect(flushTime(turn, settings, flushed)).toBe(900);
  expect(flushTime({ ...turn, count: 0 }, settings, flushed)).toBe(1_300);
  expect(flushTime(turn, settings, { ...goesOn, flushedAt: 799 })).toBe(1_300);
});

const talk = { ...turn, isConversation: true, isOver: true, hasLaterPrompt: true };

it('flushes turns without tool uses after silence', () => {
  expect(flushTime(talk, settings, goesOn)).toBe(1_600);
  expect(flushTime({ ...talk, turns: 2, isOver: false }, settings, goesOn)).toBe(1_600);
});

it('flushes turns without tool uses at once when there are maxTurns, or they are full, flushed or the last of the session', () => {
  for (const change of [{ turns: 3 }, { isSessionOver: true }, { count: 20 }, { bytes: 1_000 }])
    expect(flushTime({ ...talk, ...change }, settings, goesOn)).toBe(900);
  expect(flushTime(talk, settings, { ...goesOn, flushedAt: 800 })).toBe(900);
});

it('flushes the end of a turn at once when its tool uses were processed before, but not a second end', () => {
  expect(flushTime(talk, settings, { ...goesOn, progress: 'begun' })).toBe(900);
  expect(flushTime(talk, settings, { ...goesOn, progress: 'ended' })).toBe(1_600);
});
