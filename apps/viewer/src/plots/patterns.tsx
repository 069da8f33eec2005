import type { PlotSeries } from './plot-data.js';

/** Lines in a square of 6; the first is plain. Series differ by these as well as by colour. */
const PATTERNS = ['', 'M-1 7L7 -1', 'M0 3H6', 'M-1 -1L7 7', 'M3 0V6', 'M0 3H6M3 0V6'];
const DASHES = ['', '6 4', '2 3', '8 3 2 3', '12 3', '1 5'];

export const dashOf = (index: number) => DASHES[index % DASHES.length] ?? '';

/** What to give as `fill` where `<Patterns id>` stands in the same document. */
export const fillOf = (id: string, index: number) => `url(#${id}-${index})`;

/** Definitions of the fills of a plot; belongs into an `svg`. */
export function Patterns({ id, series }: { id: string; series: readonly PlotSeries[] }) {
  return (
    <defs>
      {series.map(({ key, colour }, index) => {
        const lines = PATTERNS[index % PATTERNS.length] ?? '';
        return (
          <pattern key={key} id={`${id}-${index}`} width={6} height={6} patternUnits="userSpaceOnUse">
            <rect width={6} height={6} style={{ fill: colour, fillOpacity: lines === '' ? 1 : 0.35 }} />
            {lines !== '' && <path d={lines} style={{ stroke: colour, strokeWidth: 1.6, fill: 'none' }} />}
          </pattern>
        );
      })}
    </defs>
  );
}
