import { useLayoutEffect, useState, type RefObject } from 'react';

/** Returns the element that scrolls. The page scrolls as one, so virtual lists need their own position in it. */
export const scrollerOfPage = () => document.getElementById('page');

/**
 * Returns the distance in pixels from the top of the page to the list. Updates when content above the list changes
 * its height.
 */
export function useListTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const scroller = scrollerOfPage();
    if (element === null || scroller === null) return undefined;
    const measure = () =>
      setTop(
        Math.round(
          element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
        ),
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.parentElement ?? element);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
