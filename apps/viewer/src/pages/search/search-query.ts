import type { HostName } from '@claude-mem/core';
import type { RouteReply, SearchKind, SearchQuery } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { withInstants, type Filters } from '../../api/filters.js';
import { worker } from '../../api/worker.js';

/** A page of results, with its search. */
export type SearchPage = RouteReply<'search'> & { search: Search };

export const KINDS = [
  { kind: 'observations', label: 'Observations' },
  { kind: 'sessions', label: 'Sessions' },
  { kind: 'prompts', label: 'Prompts' },
] as const satisfies { kind: SearchKind; label: string }[];
export type ShownKind = (typeof KINDS)[number]['kind'];

const PER_PAGE = 20;

export function kindOf({ kind }: Filters): ShownKind {
  return KINDS.find((one) => one.kind === kind?.[0])?.kind ?? 'observations';
}

/**
 * Builds a search from a text and the filters of the URL. Without a trailing space, the last word matches as a
 * prefix.
 */
export function toSearch(text: string, filters: Filters) {
  const { project, host, type, concepts, files, dateFrom, dateTo } = withInstants(filters);
  const query = text.trim();
  return {
    kind: kindOf(filters),
    ...(query === '' ? {} : { query, ...(/\s$/.test(text) ? {} : { prefix: 'true' as const }) }),
    ...(project === undefined ? {} : { project }),
    // the worker rejects an unknown host
    ...(host === undefined ? {} : { host: host as HostName[] }),
    ...(type === undefined ? {} : { type }),
    ...(concepts === undefined ? {} : { concepts }),
    ...(files === undefined ? {} : { files }),
    ...(dateFrom === undefined ? {} : { dateFrom }),
    ...(dateTo === undefined ? {} : { dateTo }),
    limit: PER_PAGE,
  } satisfies SearchQuery;
}
export type Search = ReturnType<typeof toSearch>;

/**
 * Requests the pages of a search. While only the text changes, the previous results are shown. Results of other
 * filters are never shown.
 */
export function searchQuery(search: Search) {
  return infiniteQueryOptions({
    queryKey: ['search', search] as const,
    queryFn: async ({ pageParam, signal }): Promise<SearchPage> => {
      const query = { ...search, offset: pageParam, ...(pageParam === 0 ? { facets: 'true' as const } : {}) };
      return { ...(await worker.search({ query }, { signal })), search };
    },
    initialPageParam: 0,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : Number(nextCursor)),
    placeholderData: (previous, query) =>
      query !== undefined && filtersOf(query.queryKey[1]) === filtersOf(search) ? previous : undefined,
  });
}

/** Requests the same results with the parts of each score. */
export function explainedQuery(search: Search, offset: number) {
  const explained = { ...search, offset, explain: 'true' } as const;
  return {
    queryKey: ['search-explained', explained] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => worker.search({ query: explained }, { signal }),
  };
}

const filtersOf = ({ query: _, ...filters }: Search) => JSON.stringify(filters);
