import { useLayoutEffect, useState, type RefObject } from 'react';

/** The page scrolls as a whole: what a virtual list in it needs to know is where in the page it begins. */
export const scrollerOfPage = () => document.getElementById('page');

/** Pixels from the top of the page to the list, also when what stands above it grows. */
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
