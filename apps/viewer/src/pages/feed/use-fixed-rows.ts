import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollerOfPage } from '../../ui/use-list-top.js';
import type { FeedPlace } from './use-feed.js';

/** Number of rows to render above and below the visible rows. */
const OVERSCAN = 5;

interface RowsInView {
  /** Includes partly visible rows. */
  first: number;
  last: number;
  isAtTop: boolean;
}

export interface FixedRows extends RowsInView {
  /** Indexes of the rendered rows, in ascending order. */
  drawn: readonly number[];
  /** Scrolls until the complete row is visible. */
  reveal(index: number): void;
  /** Returns the visible rows at the current scroll position, which may not be rendered yet. */
  now(): RowsInView | null;
  /** Updates the rows immediately after a program has scrolled the page. */
  sync(): void;
}

/**
 * Computes the visible rows of a list in which all rows have the same height, so that no row must be measured.
 * @param listTop pixels from the top of the page to the list
 * @param barHeight height in pixels of the bar that covers the top of the window
 * @param kept row that is rendered even when it is not visible
 * @param place initial scroll position, updated on scroll
 */
export function useFixedRows({
  count,
  height,
  listTop,
  barHeight,
  kept,
  place,
}: {
  count: number;
  height: number;
  listTop: number;
  barHeight: number;
  kept: number | null;
  place: FeedPlace;
}): FixedRows {
  const [area, setArea] = useState(() => ({
    top: place.top,
    height: scrollerOfPage()?.clientHeight ?? window.innerHeight,
  }));
  const sync = () => {
    const scroller = scrollerOfPage();
    if (scroller === null) return;
    const { scrollTop: top, clientHeight } = scroller;
    notePlace(place, top);
    setArea((before) =>
      before.top === top && before.height === clientHeight ? before : { top, height: clientHeight },
    );
  };

  useLayoutEffect(() => {
    scrollerOfPage()?.scrollTo({ top: place.top });
  }, [place]);
  const onScroll = useEffectEvent(sync);
  useEffect(() => {
    const scroller = scrollerOfPage();
    if (scroller === null) return undefined;
    // rendered synchronously, because otherwise this frame would lack rows
    const listener = () => flushSync(() => onScroll());
    scroller.addEventListener('scroll', listener, { passive: true });
    const observer = new ResizeObserver(() => onScroll());
    observer.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', listener);
      observer.disconnect();
    };
  }, [place]);

  const inView = (top: number, windowHeight: number): RowsInView => ({
    first: clamp(Math.floor((top - listTop) / height), count),
    last: clamp(Math.ceil((top + windowHeight - listTop) / height) - 1, count),
    isAtTop: top <= listTop,
  });
  const shown = inView(area.top, area.height);
  const { first, last } = shown;
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  const drawn = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (kept !== null && kept < from) drawn.unshift(kept);
  if (kept !== null && kept > to) drawn.push(kept);

  return {
    ...shown,
    drawn,
    now() {
      const scroller = scrollerOfPage();
      return scroller === null ? null : inView(scroller.scrollTop, scroller.clientHeight);
    },
    reveal(index) {
      const scroller = scrollerOfPage();
      if (scroller === null) return;
      const start = listTop + index * height;
      const highest = start - barHeight;
      const lowest = start + height - scroller.clientHeight;
      if (index === 0) scroller.scrollTop = 0;
      else if (scroller.scrollTop > highest) scroller.scrollTop = highest;
      else if (scroller.scrollTop < lowest) scroller.scrollTop = lowest;
    },
    sync,
  };
}

const clamp = (index: number, count: number) => Math.max(0, Math.min(index, count - 1));

function notePlace(place: FeedPlace, top: number): void {
  place.top = top;
}
