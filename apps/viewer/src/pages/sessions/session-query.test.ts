import type { FeedItem, SessionRow } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { withRecord, type SessionRecords } from './session-query.js';
import { withSessionChange } from './sessions-query.js';

const record = (id: number) =>
  ({ kind: 'observation', project: 'shop', host: 'codex', item: { id } }) as FeedItem;
const records = (nextCursor: string | null): SessionRecords => ({
  pages: [
    { items: [record(1)], nextCursor: 'a' },
    { items: [record(2)], nextCursor },
  ],
  pageParams: [{}, { cursor: 'a' }],
});

describe('records of an active session', () => {
  it('end with a new record when the oldest come first', () => {
    const { pages } = withRecord(records(null), record(3), 'oldest');
    expect(pages.map(({ items }) => items.map(({ item }) => item.id))).toEqual([[1], [2, 3]]);
  });

  it('are unchanged when the new record is already loaded or later pages are not loaded', () => {
    const full = records(null);
    expect(withRecord(full, record(1), 'oldest')).toBe(full);
    const partly = records('b');
    expect(withRecord(partly, record(3), 'oldest')).toBe(partly);
  });

  it('begin with a new record when the newest come first', () => {
    const { pages } = withRecord(records('b'), record(3), 'newest');
    expect(pages.map(({ items }) => items.map(({ item }) => item.id))).toEqual([[3, 1], [2]]);
  });
});

describe('list of sessions', () => {
  const row = { id: 7, status: 'active', prompts: 1, promptCounter: 1, title: 'kept' } as SessionRow;
  const data = { pages: [{ items: [row], nextCursor: null }], pageParams: [{}] };
  const change = { id: 7, status: 'completed', promptCounter: 2, lastActivityEpoch: 9 } as Parameters<
    typeof withSessionChange
  >[1];

  it('updates a changed session at its position', () => {
    expect(withSessionChange(data, change).pages[0]?.items).toEqual([
      { ...row, status: 'completed', prompts: 2, promptCounter: 2, lastActivityEpoch: 9 },
    ]);
  });

  it('is unchanged when it does not contain the changed session', () => {
    expect(withSessionChange(data, { ...change, id: 8 })).toBe(data);
  });
});
