import { useSyncExternalStore } from 'react';

const NARROW = '(width < 40rem)';
/** In rem, with the gap below it. Every row is as high as every other, so that each has its place before it is read. */
const ROWS = { narrow: 10.25, wide: 9 } as const;

/** Pixels of a row at this width and size of text. */
export function useRowHeight(): number {
  const isNarrow = useSyncExternalStore(
    (watcher) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', watcher);
      return () => query.removeEventListener('change', watcher);
    },
    () => matchMedia(NARROW).matches,
  );
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((isNarrow ? ROWS.narrow : ROWS.wide) * rem);
}
