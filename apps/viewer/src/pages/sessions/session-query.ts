import type { FeedItem, FeedReply } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

export function sessionQuery(id: number) {
  return queryOptions({
    queryKey: ['sessionDetail', { id }],
    queryFn: ({ signal }) => worker.sessionDetail({ params: { id } }, { signal }),
  });
}

export function sessionInjectionsQuery(id: number) {
  return queryOptions({
    queryKey: ['sessionInjections', { id }],
    queryFn: ({ signal }) => worker.sessionInjections({ params: { id } }, { signal }),
  });
}

export const ORDERS = ['oldest', 'newest'] as const;
/** Order of the records of a session. */
export type Order = (typeof ORDERS)[number];

export function sessionRecordsQuery(id: number, order: Order) {
  return infiniteQueryOptions({
    queryKey: ['feed', { session: id, order }],
    queryFn: ({ pageParam, signal }) =>
      worker.feed({ query: { session: String(id), order, limit: PAGE_SIZE, ...pageParam } }, { signal }),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
  });
}

/** Requests the latest summary of the session. */
export function latestSummaryQuery(id: number) {
  return queryOptions({
    queryKey: ['feed', { session: id, kind: 'summary', limit: 1 }],
    queryFn: async ({ signal }) => {
      const { items } = await worker.feed(
        { query: { session: String(id), kind: ['summary'], limit: 1 } },
        { signal },
      );
      const [entry] = items;
      return entry?.kind === 'summary' ? entry.item : null;
    },
  });
}

export type SessionRecords = InfiniteData<FeedReply, { cursor?: string }>;

/**
 * Adds a new record to the pages. Returns them unchanged when the record is known or belongs to a page that is not
 * loaded.
 */
export function withRecord(data: SessionRecords, record: FeedItem, order: Order): SessionRecords {
  const [first, last] = [data.pages[0], data.pages.at(-1)];
  if (first === undefined || last === undefined) return data;
  const isSame = ({ kind, item }: FeedItem) => kind === record.kind && item.id === record.item.id;
  if (data.pages.some(({ items }) => items.some(isSame))) return data;
  if (order === 'newest')
    return { ...data, pages: [{ ...first, items: [record, ...first.items] }, ...data.pages.slice(1)] };
  if (last.nextCursor !== null) return data;
  return { ...data, pages: [...data.pages.slice(0, -1), { ...last, items: [...last.items, record] }] };
}

const PAGE_SIZE = 100;
