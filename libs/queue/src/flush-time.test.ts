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
const noHistory = { progress: 'none', flushedAt: -Infinity } as const;
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

it('flushes a turn immediately when it is over, has a later prompt or is full', () => {
  for (const change of [{ isOver: true }, { hasLaterPrompt: true }, { count: 20 }, { bytes: 1_000 }])
    expect(flushTime({ ...turn, ...change }, settings, noHistory)).toBe(900);
});

it('flushes a running turn after silence, which is shorter when the end was processed before', () => {
  expect(flushTime(turn, settings, noHistory)).toBe(1_300);
  expect(flushTime(turn, settings, { ...noHistory, progress: 'ended' })).toBe(1_010);
});

it('never flushes a turn before its first message is available', () => {
  expect(flushTime({ ...turn, availableAtEpoch: 5_000 }, settings, noHistory)).toBe(5_000);
  expect(flushTime({ ...turn, availableAtEpoch: 5_000, isOver: true }, settings, noHistory)).toBe(5_000);
});

it('flushes requested messages immediately, but not evidence or later messages', () => {
  const flushed = { ...noHistory, flushedAt: 800 };
  expect(flushTime(turn, settings, flushed)).toBe(900);
  expect(flushTime({ ...turn, count: 0 }, settings, flushed)).toBe(1_300);
  expect(flushTime(turn, settings, { ...noHistory, flushedAt: 799 })).toBe(1_300);
});

const conversation = { ...turn, isConversation: true, isOver: true, hasLaterPrompt: true };

it('flushes turns without tool uses after silence', () => {
  expect(flushTime(conversation, settings, noHistory)).toBe(1_600);
  expect(flushTime({ ...conversation, turns: 2, isOver: false }, settings, noHistory)).toBe(1_600);
});

it('flushes turns without tool uses immediately when there are maxTurns, or they are full, flushed or the last of the session', () => {
  for (const change of [{ turns: 3 }, { isSessionOver: true }, { count: 20 }, { bytes: 1_000 }])
    expect(flushTime({ ...conversation, ...change }, settings, noHistory)).toBe(900);
  expect(flushTime(conversation, settings, { ...noHistory, flushedAt: 800 })).toBe(900);
});

it('flushes the end of a turn immediately when its tool uses were processed before, but not a second end', () => {
  expect(flushTime(conversation, settings, { ...noHistory, progress: 'begun' })).toBe(900);
  expect(flushTime(conversation, settings, { ...noHistory, progress: 'ended' })).toBe(1_600);
});
