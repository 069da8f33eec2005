import type { FeedItem, FeedReply } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

export function sessionQuery(id: number) {
  return queryOptions({
    queryKey: ['sessionDetail', { id }],
    queryFn: ({ signal }) => worker.sessionDetail({ params: { id } }, { signal }),
  });
}

/** The records of a session, oldest first. */
export function sessionRecordsQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ['feed', { session: id, order: 'oldest' }],
    queryFn: ({ pageParam, signal }) =>
      worker.feed(
        { query: { session: String(id), order: 'oldest', limit: PAGE_SIZE, ...pageParam } },
        { signal },
      ),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
  });
}

/** What the session came to so far: its latest summary. */
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

/** The pages with a record that has just come behind the last; unchanged where it is known, or where more is to be read. */
export function withRecord(data: SessionRecords, record: FeedItem): SessionRecords {
  const last = data.pages.at(-1);
  if (last === undefined || last.nextCursor !== null) return data;
  const isSame = ({ kind, item }: FeedItem) => kind === record.kind && item.id === record.item.id;
  if (data.pages.some(({ items }) => items.some(isSame))) return data;
  return { ...data, pages: [...data.pages.slice(0, -1), { ...last, items: [...last.items, record] }] };
}

const PAGE_SIZE = 100;
