import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollerOfPage } from '../../ui/use-list-top.js';
import type { ScrollPosition } from './use-feed.js';

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
  rendered: readonly number[];
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
 * @param alwaysRendered row that is rendered even when it is not visible
 * @param scrollPosition initial scroll position, updated on scroll
 */
export function useFixedRows({
  count,
  height,
  listTop,
  barHeight,
  alwaysRendered,
  scrollPosition,
}: {
  count: number;
  height: number;
  listTop: number;
  barHeight: number;
  alwaysRendered: number | null;
  scrollPosition: ScrollPosition;
}): FixedRows {
  const [area, setArea] = useState(() => ({
    top: scrollPosition.top,
    height: scrollerOfPage()?.clientHeight ?? window.innerHeight,
  }));
  const sync = () => {
    const scroller = scrollerOfPage();
    if (scroller === null) return;
    const { scrollTop: top, clientHeight } = scroller;
    savePosition(scrollPosition, top);
    setArea((before) =>
      before.top === top && before.height === clientHeight ? before : { top, height: clientHeight },
    );
  };

  useLayoutEffect(() => {
    scrollerOfPage()?.scrollTo({ top: scrollPosition.top });
  }, [scrollPosition]);
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
  }, [scrollPosition]);

  const inView = (top: number, windowHeight: number): RowsInView => ({
    first: clamp(Math.floor((top - listTop) / height), count),
    last: clamp(Math.ceil((top + windowHeight - listTop) / height) - 1, count),
    isAtTop: top <= listTop,
  });
  const shown = inView(area.top, area.height);
  const { first, last } = shown;
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  const rendered = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (alwaysRendered !== null && alwaysRendered < from) rendered.unshift(alwaysRendered);
  if (alwaysRendered !== null && alwaysRendered > to) rendered.push(alwaysRendered);

  return {
    ...shown,
    rendered,
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

function savePosition(scrollPosition: ScrollPosition, top: number): void {
  scrollPosition.top = top;
}
