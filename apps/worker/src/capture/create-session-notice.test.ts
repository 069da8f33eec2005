import type { PendingMessage } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { createSessionNotice } from './create-session-notice.js';

function noticeOf(state: { observer?: string; hasParked?: boolean }) {
  const parked = { id: 1 } as PendingMessage;
  return createSessionNotice({
    observer: () => state.observer ?? null,
    messages: { list: async () => (state.hasParked ? [parked] : []) },
  });
}

describe('createSessionNotice', () => {
  it('says a state once in each session', async () => {
    const state: { observer?: string } = { observer: 'The budget of 50 calls a day is used up.' };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).toBe('claude-mem: The budget of 50 calls a day is used up.');
    expect(await notice.textFor(1)).toBeNull();
    expect(await notice.textFor(2)).not.toBeNull();
    state.observer = 'The key is not accepted.';
    expect(await notice.textFor(1)).toBe('claude-mem: The key is not accepted.');
    expect(await notice.textFor(1)).toBeNull();
  });

  it('another time in the sentence is no other state', async () => {
    const state = { observer: 'Paused until 14:10.' };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).not.toBeNull();
    state.observer = 'Paused until 15:40.';
    expect(await notice.textFor(1)).toBeNull();
  });

  it('speaks of parked events when nothing else is wrong', async () => {
    const state = { observer: 'The key is not accepted.', hasParked: true };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).toContain('key');
    expect(await noticeOf({ hasParked: true }).textFor(1)).toMatch(/parked.*queue retry --parked/);
  });

  it('says nothing when all is well', async () => {
    expect(await noticeOf({}).textFor(1)).toBeNull();
  });

  it('stays small however many sessions there are', async () => {
    const notice = noticeOf({ observer: 'The key is not accepted.' });
    for (let session = 1; session <= 501; session += 1) await notice.textFor(session);
    expect(await notice.textFor(501)).toBeNull();
    expect(await notice.textFor(1)).not.toBeNull();
  });
});

it('says once what was saved of a damaged database, and then what holds the observer back', async () => {
  const notice = createSessionNotice({
    recovery: () => 'the database was damaged; 12 could not be read',
    observer: () => 'The observer is paused.',
    messages: { list: async () => [] },
  });
  expect(await notice.textFor(1)).toBe('claude-mem: the database was damaged; 12 could not be read');
  expect(await notice.textFor(1)).toBe('claude-mem: The observer is paused.');
  expect(await notice.textFor(1)).toBeNull();
  expect(await notice.textFor(2)).toContain('damaged');
});
