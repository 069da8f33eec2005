import type { PlotSeries } from './plot-data.js';

/**
 * Paths in a square of 6 pixels. Series can be distinguished by pattern as well as by colour. The first pattern is
 * plain.
 */
const PATTERNS = ['', 'M-1 7L7 -1', 'M0 3H6', 'M-1 -1L7 7', 'M3 0V6', 'M0 3H6M3 0V6'];

/** Returns the `fill` of a series. The document must contain `<Patterns id>`. */
export const patternFill = (id: string, index: number) => `url(#${id}-${index})`;

/** Defines the fill patterns of the series. Must be inside an `svg`. */
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
