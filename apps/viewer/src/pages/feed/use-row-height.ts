import { useIsNarrow } from '../../ui/use-is-narrow.js';

/**
 * Row height in rem, including the gap. All rows have the same height, so that the position of an unloaded row is
 * known.
 */
const ROWS = { narrow: 10.25, wide: 9 } as const;

/** Returns the row height in pixels for the current width and font size. */
export function useRowHeight(): number {
  const isNarrow = useIsNarrow();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((isNarrow ? ROWS.narrow : ROWS.wide) * rem);
}
