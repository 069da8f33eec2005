import type { PlotSeries } from './plot-data.js';

/** Lines in a square of 6; the first is plain. Series differ by these as well as by colour. */
const PATTERNS = ['', 'M-1 7L7 -1', 'M0 3H6', 'M-1 -1L7 7', 'M3 0V6', 'M0 3H6M3 0V6'];

/** The `fill` of a series anywhere in the document that has `<Patterns id>`. */
export const patternFill = (id: string, index: number) => `url(#${id}-${index})`;

/** Defines the fill of each series; belongs into an `svg`. */
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
