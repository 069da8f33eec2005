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
export interface FeedPlace {
  top: number;
}

interface KeptFeed {
  key: string;
  feed: Feed;
  place: FeedPlace;
}

let kept: KeptFeed | null = null;

/**
 * Returns a live feed with these filters. The feed is kept when the page is left, so that going back restores the
 * scroll position.
 */
export function useFeed(filters: Filters): { feed: Feed; view: FeedView; place: FeedPlace } {
  const router = useRouter();
  const name = JSON.stringify(filters);
  const visit = useMemo(() => ({ name, key: router.latestLocation.state.__TSR_key }), [router, name]);
  const { feed, place } = feedOf(JSON.stringify(visit), filters);
  const view = useSyncExternalStore(feed.onChange, feed.view);
  useStreamEvent((event) => feed.take(event));

  const state = useStreamState();
  useEffect(() => {
    // loads what was added before the stream was connected or while another page was open
    if (state === 'live') feed.refresh();
  }, [feed, state]);
  return { feed, view, place };
}

function feedOf(key: string, filters: Filters): KeptFeed {
  if (kept?.key === key) return kept;
  kept?.feed.close();
  const feed = createFeed({
    read: ({ cursor, limit, signal }) => worker.feed({ query: queryOf(filters, cursor, limit) }, { signal }),
    admit: (entry: FeedItem) => admitEntry(filters, entry),
  });
  kept = { key, feed, place: { top: 0 } };
  return kept;
}

function queryOf(filters: Filters, cursor: string | null, limit: number) {
  return { ...feedQuery(filters), limit, ...(cursor === null ? {} : { cursor }) };
}
