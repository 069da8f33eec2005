import type { RouteReply, SessionRow, StreamEvent } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions, keepPreviousData, type InfiniteData } from '@tanstack/react-query';
import type { HostName } from '@claude-mem/core';
import type { Filters } from '../../api/filters.js';
import { worker } from '../../api/worker.js';

interface Place {
  cursor?: string;
}
export type SessionPages = InfiniteData<RouteReply<'listSessions'>, Place>;
type SessionChange = Extract<StreamEvent, { type: 'session-updated' }>['data'];

/** Requests the sessions that match the filters, newest first. */
export function sessionsQuery({ project, host }: Pick<Filters, 'project' | 'host'>) {
  const filters = {
    ...(project === undefined ? {} : { project }),
    // the worker rejects an unknown host
    ...(host === undefined ? {} : { host: host as HostName[] }),
  };
  return infiniteQueryOptions({
    queryKey: ['listSessions', filters],
    queryFn: ({ pageParam, signal }) =>
      worker.listSessions({ query: { ...filters, limit: PAGE_SIZE, ...pageParam } }, { signal }),
    initialPageParam: {} as Place,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
    placeholderData: keepPreviousData,
  });
}

export function isKnownSession(data: SessionPages | undefined, id: number): boolean {
  return data?.pages.some(({ items }) => items.some((row) => row.id === id)) ?? false;
}

/** Applies a change to a loaded session. Ignores changes of other sessions. */
export function withSessionChange(data: SessionPages, change: SessionChange): SessionPages {
  if (!isKnownSession(data, change.id)) return data;
  const changed = (row: SessionRow): SessionRow =>
    row.id === change.id ? { ...row, ...change, prompts: Math.max(row.prompts, change.promptCounter) } : row;
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(changed) })) };
}

const PAGE_SIZE = 100;
