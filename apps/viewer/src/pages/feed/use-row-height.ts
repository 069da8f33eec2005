import { useIsNarrow } from '../../ui/use-is-narrow.js';

/** In rem, with the gap below it. Every row is as high as every other, so that each has its place before it is read. */
const ROWS = { narrow: 10.25, wide: 9 } as const;

/** Pixels of a row at this width and size of text. */
export function useRowHeight(): number {
  const isNarrow = useIsNarrow();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((isNarrow ? ROWS.narrow : ROWS.wide) * rem);
}
