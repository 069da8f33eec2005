import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { hasFilters, type Filters } from '../../api/filters.js';
import { useRefresh } from '../../api/use-refresh.js';
import { worker } from '../../api/worker.js';
import { feedQuery } from '../../filters/feed-query.js';
import { FilterChips } from '../../filters/FilterChips.js';
import { FilterMenu } from '../../filters/FilterMenu.js';
import { formatCount } from '../../format/format-number.js';
import { Loading } from '../../ui/Loading.js';
import { Page } from '../../ui/Page.js';
import { useIsWide } from '../../ui/use-is-wide.js';
import { FeedEmpty } from './FeedEmpty.js';
import { FeedList } from './FeedList.js';
import { useFeed } from './use-feed.js';

const route = getRouteApi('/');

/** All records, newest first, updated live. */
export function FeedPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const setFilters = (next: Filters) => void navigate({ search: next });
  const { feed, view, scrollPosition } = useFeed(filters);
  const facets = useFacets(filters);
  const isEmpty = view.status === 'ready' && view.count === 0 && view.isComplete;
  const hasMenu = !isEmpty || hasFilters(filters);
  const menu = hasMenu && <FilterMenu filters={filters} facets={facets.data} onChange={setFilters} />;
  return (
    <Page
      title="Feed"
      isWide={useIsWide()}
      about={
        facets.data &&
        (isEmpty ? 'All new records, newest first' : formatTotal(facets.data.total, hasFilters(filters)))
      }
    >
      <FilterChips filters={filters} onChange={setFilters} />
      <FeedList feed={feed} view={view} scrollPosition={scrollPosition} actions={menu}>
        {view.status === 'loading' && <Loading />}
        {isEmpty && <FeedEmpty filters={filters} onClear={() => setFilters({})} />}
      </FeedList>
    </Page>
  );
}

function useFacets(filters: Filters) {
  useRefresh('facets', ({ type }) => REFRESH_EVENTS.has(type));
  const query = feedQuery(filters);
  return useQuery({
    queryKey: ['facets', { query }],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
  });
}

const REFRESH_EVENTS = new Set([
  'observation-created',
  'observation-updated',
  'summary-created',
  'prompt-created',
  'memory-forgotten',
]);

const formatTotal = (total: number, isFiltered: boolean) =>
  `${formatCount(total)} ${total === 1 ? 'record' : 'records'}${isFiltered ? ' matching the filters' : ''}, newest first`;
