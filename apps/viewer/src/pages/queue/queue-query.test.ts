import type { PendingStatus } from '@claude-mem/core';
import type { QueueItem } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { messagesOf, readQueuePage, SHOWN_ORDER } from './queue-query.js';

const message = (id: number, status: PendingStatus) => ({ id, status }) as QueueItem;
/** Simulates `/api/queue` of a worker with these messages. */
function queueOf(items: readonly QueueItem[]) {
  const asked: string[] = [];
  return {
    asked,
    async list({ status, cursor = '0', limit }: { status: PendingStatus; cursor?: string; limit: number }) {
      asked.push(`${status} ${cursor}`);
      const rest = items.filter((item) => item.status === status && item.id > Number(cursor));
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      return { items: page, nextCursor: rest.length > limit && last ? String(last.id) : null };
    },
  };
}
const many = (from: number, count: number, status: PendingStatus) =>
  Array.from({ length: count }, (_, index) => message(from + index, status));

describe('queue list', () => {
  it('shows parked messages first, then running ones, then pending ones on one page', async () => {
    const { list } = queueOf([message(1, 'pending'), message(2, 'processing'), message(3, 'parked')]);
    const { items, next } = await readQueuePage(SHOWN_ORDER, { status: 'parked' }, list);
    expect(items.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(next).toBeNull();
  });

  it('contains each message once over many pages', async () => {
    const { list } = queueOf([...many(1, 450, 'pending'), ...many(451, 70, 'parked')]);
    const ids: number[] = [];
    let page = await readQueuePage(SHOWN_ORDER, { status: 'parked' }, list);
    ids.push(...page.items.map(({ id }) => id));
    while (page.next !== null) {
      page = await readQueuePage(SHOWN_ORDER, page.next, list);
      ids.push(...page.items.map(({ id }) => id));
    }
    expect(ids).toHaveLength(520);
    expect(new Set(ids).size).toBe(520);
    expect(ids[0]).toBe(451);
  });

  it('requests only the selected states', async () => {
    const { list, asked } = queueOf([message(1, 'pending')]);
    const { items } = await readQueuePage(['parked'], { status: 'parked' }, list);
    expect(items).toEqual([]);
    expect(asked).toEqual(['parked 0']);
  });

  it('shows a message once, in its first state, when it moved between two pages', () => {
    const pages = [
      { items: [message(1, 'parked')], next: { status: 'pending' as const } },
      { items: [message(1, 'pending'), message(2, 'pending')], next: null },
    ];
    expect(messagesOf(pages)).toEqual([message(1, 'parked'), message(2, 'pending')]);
  });
});
