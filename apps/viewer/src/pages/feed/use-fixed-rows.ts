import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollerOfPage } from '../../ui/use-list-top.js';
import type { FeedPlace } from './use-feed.js';

/** Rows beyond both edges of the window that are drawn. */
const OVERSCAN = 5;

interface RowsInView {
  /** Those in view, also in part. */
  first: number;
  last: number;
  isAtTop: boolean;
}

export interface FixedRows extends RowsInView {
  /** Those that are drawn, in their order. */
  drawn: readonly number[];
  /** Scrolls as little as brings a row wholly into view. */
  reveal(index: number): void;
  /** Those in view as the page is scrolled at this moment, which may not have been drawn yet. */
  now(): RowsInView | null;
  /** Takes in at once that the page was scrolled by a program. */
  sync(): void;
}

/**
 * Which rows of a list are in view, when each is as high as every other. With that there is nothing to measure, which is
 * what a library for virtual lists is for.
 * @param listTop pixels from the top of the page to the list
 * @param barHeight what of the window a bar at its top covers
 * @param kept a row that is drawn also out of view
 * @param place where the page is scrolled to at first, and noted since
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
    // drawn before this frame is, or rows are missing in it
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
