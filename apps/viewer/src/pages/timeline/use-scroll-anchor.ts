import { useLayoutEffect, useRef } from 'react';

/**
 * Keeps the scroll position when entries are added above the list. Call the returned function before the change.
 * `first` identifies the first entry of the list.
 */
export function useScrollAnchor(first: string): () => void {
  const heightBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    const scroller = document.getElementById('page');
    if (scroller === null || heightBefore.current === null) return;
    scroller.scrollTop += scroller.scrollHeight - heightBefore.current;
    heightBefore.current = null;
  }, [first]);
  return () => {
    heightBefore.current = document.getElementById('page')?.scrollHeight ?? null;
  };
}
