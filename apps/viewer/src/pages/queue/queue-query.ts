import { PENDING_STATUSES, type PendingStatus } from '@claude-mem/core';
import type { QueueItem, RouteReply } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** Order of the statuses: first those that require an action of the user. */
export const SHOWN_ORDER = ['parked', 'processing', 'pending'] as const satisfies readonly PendingStatus[];

interface PagePosition {
  status: PendingStatus;
  cursor?: string;
}

interface QueuePage {
  items: readonly QueueItem[];
  next: PagePosition | null;
}

type ListQueue = (query: PagePosition & { limit: number }) => Promise<RouteReply<'listQueue'>>;

/** Requests the messages with these statuses, one status after the other. */
export function queueQuery(statuses: readonly PendingStatus[]) {
  return infiniteQueryOptions({
    queryKey: ['listQueue', { statuses }],
    queryFn: ({ pageParam }) => readQueuePage(statuses, pageParam, (query) => worker.listQueue({ query })),
    initialPageParam: { status: statuses[0] ?? PENDING_STATUSES[0] } as PagePosition,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}

/** Reads one page. Continues with the next status when one ends, so that an empty page means the end of the list. */
export async function readQueuePage(
  statuses: readonly PendingStatus[],
  from: PagePosition,
  list: ListQueue,
): Promise<QueuePage> {
  const items: QueueItem[] = [];
  let position: PagePosition | null = from;
  while (position !== null && items.length < PAGE_SIZE) {
    const { status }: PagePosition = position;
    const page: RouteReply<'listQueue'> = await list({ ...position, limit: PAGE_SIZE - items.length });
    items.push(...page.items);
    if (page.nextCursor !== null) position = { status, cursor: page.nextCursor };
    else {
      const after: PendingStatus | undefined = statuses[statuses.indexOf(status) + 1];
      position = after === undefined ? null : { status: after };
    }
  }
  return { items, next: position };
}

/**
 * Combines pages. A message whose status changed between two requests is in both pages; its first occurrence is used.
 */
export function messagesOf(pages: readonly QueuePage[]): QueueItem[] {
  const byId = new Map<number, QueueItem>();
  for (const { items } of pages) for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item);
  return [...byId.values()];
}

const PAGE_SIZE = 200;
