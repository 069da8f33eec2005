import type { FeedItem } from '@claude-mem/worker-protocol';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Filters } from '../../api/filters.js';
import { useStreamEvent, useStreamState } from '../../api/use-stream.js';
import { worker } from '../../api/worker.js';
import { admitEntry } from '../../filters/admit-entry.js';
import { feedQuery } from '../../filters/feed-query.js';
import { createFeed, type Feed, type FeedView } from './create-feed.js';

/** Scroll position of a feed, in pixels. */
export interface ScrollPosition {
  top: number;
}

interface CachedFeed {
  key: string;
  feed: Feed;
  scrollPosition: ScrollPosition;
}

let cachedFeed: CachedFeed | null = null;

/**
 * Returns a live feed with these filters. The feed is kept when the page is left, so that going back restores the
 * scroll position.
 */
export function useFeed(filters: Filters): { feed: Feed; view: FeedView; scrollPosition: ScrollPosition } {
  const router = useRouter();
  const name = JSON.stringify(filters);
  const visit = useMemo(() => ({ name, key: router.latestLocation.state.__TSR_key }), [router, name]);
  const { feed, scrollPosition } = feedOf(JSON.stringify(visit), filters);
  const view = useSyncExternalStore(feed.onChange, feed.view);
  useStreamEvent((event) => feed.take(event));

  const state = useStreamState();
  useEffect(() => {
    // loads what was added before the stream was connected or while another page was open
    if (state === 'live') feed.refresh();
  }, [feed, state]);
  return { feed, view, scrollPosition };
}

function feedOf(key: string, filters: Filters): CachedFeed {
  if (cachedFeed?.key === key) return cachedFeed;
  cachedFeed?.feed.close();
  const feed = createFeed({
    read: ({ cursor, limit, signal }) => worker.feed({ query: queryOf(filters, cursor, limit) }, { signal }),
    admit: (entry: FeedItem) => admitEntry(filters, entry),
  });
  cachedFeed = { key, feed, scrollPosition: { top: 0 } };
  return cachedFeed;
}

function queryOf(filters: Filters, cursor: string | null, limit: number) {
  return { ...feedQuery(filters), limit, ...(cursor === null ? {} : { cursor }) };
}
