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
  it('reports a state only once in each session', async () => {
    const state: { observer?: string } = { observer: 'The budget of 50 calls a day is used up.' };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).toBe('claude-mem: The budget of 50 calls a day is used up.');
    expect(await notice.textFor(1)).toBeNull();
    expect(await notice.textFor(2)).not.toBeNull();
    state.observer = 'The key is not accepted.';
    expect(await notice.textFor(1)).toBe('claude-mem: The key is not accepted.');
    expect(await notice.textFor(1)).toBeNull();
  });

  it('reports no new state when only the time in the message changes', async () => {
    const state = { observer: 'Paused until 14:10.' };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).not.toBeNull();
    state.observer = 'Paused until 15:40.';
    expect(await notice.textFor(1)).toBeNull();
  });

  it('reports parked events when there is no other problem', async () => {
    const state = { observer: 'The key is not accepted.', hasParked: true };
    const notice = noticeOf(state);
    expect(await notice.textFor(1)).toContain('key');
    expect(await noticeOf({ hasParked: true }).textFor(1)).toMatch(/parked.*queue retry --parked/);
  });

  it('reports nothing when there is no problem', async () => {
    expect(await noticeOf({}).textFor(1)).toBeNull();
  });

  it('deletes the oldest session when there are more than 500', async () => {
    const notice = noticeOf({ observer: 'The key is not accepted.' });
    for (let session = 1; session <= 501; session += 1) await notice.textFor(session);
    expect(await notice.textFor(501)).toBeNull();
    expect(await notice.textFor(1)).not.toBeNull();
  });
});

it('reports a recovery once, and then why the observer is paused', async () => {
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
