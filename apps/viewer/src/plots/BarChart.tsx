import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatCompact, formatCount } from '../format/format-number.js';
import styles from './BarChart.module.css';
import { Patterns, patternFill } from './Patterns.js';
import { axisTicks, formatPlotDay, type PlotProps } from './plot-data.js';

/** Maximum number of labelled days. A narrow window labels every second one. */
const MAX_DAY_LABELS = 8;
/** Part of the available width that a bar fills. */
const BAR_SHARE = 0.8;

/** One stacked bar per row. The pointer or, with the focus on the chart, the arrow keys select a row and show its numbers. */
export function BarChart({
  label,
  rows,
  series,
  format,
  patternId,
}: Required<PlotProps> & { patternId: string }) {
  const [selected, setSelected] = useState<number | null>(null);
  const totals = rows.map(({ values }) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0));
  const ticks = axisTicks(Math.max(...totals), format === formatCount);
  const height = (value: number) => (100 * value) / (ticks.at(-1) ?? 1);
  const width = 100 / rows.length;
  const labelEvery = Math.ceil(rows.length / MAX_DAY_LABELS);
  const select = (index: number) => setSelected(Math.min(Math.max(index, 0), rows.length - 1));

  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: (selected ?? rows.length) - 1,
      ArrowRight: (selected ?? -1) + 1,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(next);
  };
  const onPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    select(Math.floor(((clientX - box.left) / box.width) * rows.length));
  };

  return (
    <div className={styles['chart']}>
      <div className={styles['values']} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick}>{format === formatCount ? formatCompact(tick) : format(tick)}</span>
        ))}
      </div>
      <svg
        className={styles['bars']}
        role="application"
        aria-label={`${label}. Arrow keys select a bar.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setSelected(null)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setSelected(null)}
      >
        <Patterns id={patternId} series={series} />
        {ticks.map((tick) => (
          <line key={tick} x2="100%" y1={`${100 - height(tick)}%`} y2={`${100 - height(tick)}%`} />
        ))}
        {selected !== null && (
          <rect className={styles['selected']} x={`${selected * width}%`} width={`${width}%`} height="100%" />
        )}
        {rows.map(({ day, values }, index) => {
          let top = 0;
          return series.map(({ key }, one) => {
            const value = values[key] ?? 0;
            top += value;
            return (
              value > 0 && (
                <rect
                  key={`${day} ${key}`}
                  x={`${(index + (1 - BAR_SHARE) / 2) * width}%`}
                  y={`${100 - height(top)}%`}
                  width={`${BAR_SHARE * width}%`}
                  height={`${height(value)}%`}
                  fill={patternFill(patternId, one)}
                />
              )
            );
          });
        })}
      </svg>
      <div className={styles['days']} aria-hidden>
        {rows.map(
          (row, index) =>
            (rows.length - 1 - index) % labelEvery === 0 && (
              <span key={row.day} style={{ left: `${(index + 0.5) * width}%` }}>
                {formatPlotDay({ day: row.day })}
              </span>
            ),
        )}
      </div>
      <div role="status">
        {selected !== null && <Numbers rows={rows} selected={selected} series={series} format={format} />}
      </div>
    </div>
  );
}

/** The numbers of the selected row, shown next to its bar. */
function Numbers({
  rows,
  selected,
  series,
  format,
}: Pick<Required<PlotProps>, 'rows' | 'series' | 'format'> & { selected: number }) {
  const row = rows[selected];
  if (row === undefined) return null;
  const known = series.filter(({ key }) => (row.values[key] ?? 0) !== 0);
  const side = selected < rows.length / 2 ? 'left' : 'right';
  const distance = (side === 'left' ? selected + 1 : rows.length - selected) / rows.length;
  return (
    <div className={styles['numbers']} style={{ [side]: `${100 * distance}%` }}>
      <strong>{formatPlotDay(row, true)}</strong>
      {known.length === 0 && <p>No data</p>}
      <dl>
        {known.map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{format(row.values[key] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
