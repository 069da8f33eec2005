import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useMemo } from 'react';
import { hasFilters } from '../../api/filters.js';
import { useRefresh } from '../../api/use-refresh.js';
import { counted } from '../../format/counted.js';
import { Button } from '../../ui/Button.js';
import { Command } from '../../ui/Command.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { VirtualList } from '../../ui/VirtualList.js';
import { SessionEntry } from './SessionEntry.js';
import { SessionFilters } from './SessionFilters.js';
import { isKnownSession, sessionsQuery, withSessionChange, type SessionPages } from './sessions-query.js';

const route = getRouteApi('/sessions');

/** All captured sessions, newest first. */
export function SessionsPage() {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const options = sessionsQuery(filters);
  const query = useInfiniteQuery(options);
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  useLiveSessions(options.queryKey);
  const isFiltered = hasFilters(filters);
  return (
    <Page title="Sessions" about="Conversations in your hosts, newest first." isWide>
      <StaleNotice query={query} />
      <SessionFilters filters={filters} />
      {query.data === undefined ? (
        <NoAnswer query={query} />
      ) : rows.length > 0 ? (
        <div data-updating={query.isPlaceholderData} aria-busy={query.isPlaceholderData}>
          <VirtualList
            label="Sessions"
            items={rows}
            keyOf={({ id }) => id}
            rowHeight={68}
            hasMore={query.hasNextPage}
            onNearEnd={() => {
              if (!query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
            }}
          >
            {(row) => (
              <div className="pad">
                <SessionEntry session={row} project={row.project} prompts={row.prompts}>
                  <span>{counted(row.observations, 'observation')}</span>
                  {row.waiting > 0 && (
                    <span className="tone" data-tone="warning">
                      {row.waiting} waiting
                    </span>
                  )}
                </SessionEntry>
              </div>
            )}
          </VirtualList>
        </div>
      ) : isFiltered ? (
        <EmptyState
          icon={MessagesSquare}
          title="No matching sessions"
          actions={
            <Button onClick={() => void navigate({ to: '/sessions', search: {} })}>Clear filters</Button>
          }
        />
      ) : (
        <EmptyState icon={MessagesSquare} title="No sessions yet">
          Run <Command>install --host claude-code</Command> (or another host) and start a session there. The
          session appears here instantly.
        </EmptyState>
      )}
    </Page>
  );
}

/** Updates listed sessions in place. Only new sessions are requested. */
function useLiveSessions(queryKey: ReturnType<typeof sessionsQuery>['queryKey']): void {
  const client = useQueryClient();
  useRefresh('listSessions', (event) => {
    if (event.type !== 'session-updated') return event.type === 'memory-forgotten';
    client.setQueryData<SessionPages>(queryKey, (data) => data && withSessionChange(data, event.data));
    return !isKnownSession(client.getQueryData<SessionPages>(queryKey), event.data.id);
  });
}
