import { useLayoutEffect, useRef } from 'react';

/**
 * Keeps what is seen where it is when something is put above it: call the answer before, and `first` names what is at the
 * top of the list.
 */
export function useSteadyTop(first: string): () => void {
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
