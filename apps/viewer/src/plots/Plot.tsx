import { lazy, Suspense, useId, useState } from 'react';
import { loadPart } from '../api/load-part.js';
import { formatCount } from '../format/format-number.js';
import { dashOf, fillOf, Patterns } from './patterns.js';
import { formatPlotDay, sumOf, type PlotRow, type PlotSeries } from './plot-data.js';
import { PlotTable } from './PlotTable.js';
import styles from './Plot.module.css';

const DrawnPlot = lazy(async () => ({
  default: (await loadPart(() => import('./DrawnPlot.js'))).DrawnPlot,
}));

export interface PlotProps {
  /** What the numbers are, `Observations by day`: the name of the plot for those who do not see it. */
  label: string;
  /** `bars` are stacked; `lines` stand for themselves, a single one is filled. */
  kind: 'bars' | 'lines';
  /** In order of time, see `fillDays`. */
  rows: readonly PlotRow[];
  series: readonly PlotSeries[];
  format?: (value: number) => string;
}

/** Numbers over days, drawn; with a legend that has their sums, and the same as a table when asked for. */
export function Plot({ label, kind, rows, series, format = formatCount }: PlotProps) {
  const id = useId();
  const sums = sumOf(rows);
  const isEmpty = series.every(({ key }) => (sums[key] ?? 0) === 0);
  return (
    <figure className={styles['plot']} aria-label={label}>
      <div className={styles['drawn']}>
        {isEmpty ? (
          <p className={styles['nothing']}>Nothing from {formatSpan(rows)}</p>
        ) : (
          <Suspense>
            <DrawnPlot label={label} kind={kind} rows={rows} series={series} format={format} />
          </Suspense>
        )}
      </div>
      {!isEmpty && (
        <figcaption className={styles['below']}>
          <ul className={styles['legend']} aria-label="Legend">
            {series.map(({ key, label: name, colour }, index) => (
              <li key={key}>
                <svg width={14} height={14} aria-hidden>
                  {kind === 'bars' ? (
                    <>
                      <Patterns id={`${id}${index}`} series={placed(series, index)} />
                      <rect width={14} height={14} rx={3} fill={fillOf(`${id}${index}`, index)} />
                    </>
                  ) : (
                    <path d="M0 7H14" strokeWidth={2.5} strokeDasharray={dashOf(index)} stroke={colour} />
                  )}
                </svg>
                {name}
                <span className={styles['sum']}>{format(sums[key] ?? 0)}</span>
              </li>
            ))}
          </ul>
          <Numbers label={label} rows={rows} series={series} format={format} />
        </figcaption>
      )}
    </figure>
  );
}

function Numbers(props: Required<Omit<PlotProps, 'kind'>>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles['numbers']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && <PlotTable {...props} />}
    </details>
  );
}

/** The series up to the one at `index`: a pattern is chosen by its place. */
const placed = (series: readonly PlotSeries[], index: number) => series.slice(0, index + 1);

function formatSpan(rows: readonly PlotRow[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return 'these days';
  return formatPlotDay({ day: first.day, through: last.through ?? last.day }, true);
}
