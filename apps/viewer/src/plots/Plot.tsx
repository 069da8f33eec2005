import { useId, useState } from 'react';
import { formatCount } from '../format/format-number.js';
import { BarChart } from './BarChart.js';
import { patternFill } from './Patterns.js';
import { formatPlotDay, sumOf, type PlotProps, type PlotRow } from './plot-data.js';
import { PlotTable } from './PlotTable.js';

/** Stacked bars by day, with a legend that shows totals, and optionally as a table. */
export function Plot({ label, rows, series, format = formatCount }: PlotProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const sums = sumOf(rows);
  if (series.every(({ key }) => (sums[key] ?? 0) === 0))
    return (
      <figure aria-label={label}>
        <p className="panel pad muted">No data from {formatSpan(rows)}</p>
      </figure>
    );
  return (
    <figure className="stack gap-3" aria-label={label}>
      <BarChart label={label} rows={rows} series={series} format={format} patternId={id} />
      <figcaption className="stack gap-3 small">
        <ul className="row gap-4" aria-label="Legend">
          {series.map(({ key, label: name }, index) => (
            <li key={key} className="row">
              <svg width={14} height={14} aria-hidden>
                <rect width={14} height={14} rx={3} fill={patternFill(id, index)} />
              </svg>
              {name}
              <span className="muted">{format(sums[key] ?? 0)}</span>
            </li>
          ))}
        </ul>
        <details onToggle={({ currentTarget }) => setTable(currentTarget.open)}>
          <summary>As a table</summary>
          {isTable && <PlotTable label={label} rows={rows} series={series} format={format} />}
        </details>
      </figcaption>
    </figure>
  );
}

function formatSpan(rows: readonly PlotRow[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return 'these days';
  return formatPlotDay({ day: first.day, through: last.through ?? last.day }, true);
}
