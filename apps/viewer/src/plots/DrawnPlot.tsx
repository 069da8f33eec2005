import { useId } from 'react';
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Tooltip,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from 'recharts';
import { formatCompact, formatCount } from '../format/format-number.js';
import { dashOf, fillOf, Patterns } from './patterns.js';
import type { PlotProps } from './Plot.js';
import { formatPlotDay, type PlotRow } from './plot-data.js';
import styles from './Plot.module.css';

/** A name that is no attribute of SVG: those the library sets on what it draws. */
interface Drawn {
  row: PlotRow;
}

/** The drawing itself; loaded only where a plot is shown. With the focus on it, arrow keys go from day to day. */
export function DrawnPlot({ label, kind, rows, series, format }: Required<PlotProps>) {
  const id = useId();
  const Chart = kind === 'bars' ? BarChart : AreaChart;
  const data = rows.map((row): Drawn => ({ row }));
  const patternId = `plot${id.replace(/[^a-zA-Z0-9]/g, '')}`;
  return (
    <Chart
      responsive
      className={styles['chart'] ?? ''}
      data={data}
      title={`${label}. Arrow keys go from day to day.`}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      barCategoryGap={rows.length > 60 ? '10%' : '20%'}
      maxBarSize={28}
    >
      {kind === 'bars' && <Patterns id={patternId} series={series} />}
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey={({ row }: Drawn) => row.day}
        tickFormatter={(day: string) => formatPlotDay({ day })}
        minTickGap={28}
        tickLine={false}
        axisLine={{ stroke: 'var(--border-strong)' }}
        tick={TICK}
      />
      <YAxis
        width="auto"
        allowDecimals={format !== formatCount}
        tickFormatter={format === formatCount ? formatCompact : format}
        tickLine={false}
        axisLine={false}
        tick={TICK}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={
          kind === 'bars'
            ? { fill: 'var(--border)', fillOpacity: 0.5, stroke: 'none' }
            : { stroke: 'var(--border-strong)' }
        }
        content={(shown) => <Told shown={shown} series={series} format={format} />}
      />
      {series.map(({ key, label: name, colour }, index) =>
        kind === 'bars' ? (
          <Bar
            key={key}
            name={name}
            dataKey={({ row }: Drawn) => row.values[key] ?? 0}
            stackId="all"
            fill={fillOf(patternId, index)}
            isAnimationActive={false}
          />
        ) : (
          <Area
            key={key}
            name={name}
            type="linear"
            dataKey={({ row }: Drawn) => row.values[key] ?? 0}
            stroke={colour}
            strokeWidth={2}
            strokeDasharray={dashOf(index)}
            fill={colour}
            fillOpacity={series.length === 1 ? 0.15 : 0}
            isAnimationActive={false}
          />
        ),
      )}
    </Chart>
  );
}

const TICK = { fill: 'var(--text-muted)', fontSize: 12 };

function Told({
  shown: { active, payload },
  series,
  format,
}: { shown: TooltipContentProps } & Pick<Required<PlotProps>, 'series' | 'format'>) {
  const drawn = payload[0]?.payload as Drawn | undefined;
  if (!active || drawn === undefined) return null;
  const { row } = drawn;
  const told = series.filter(({ key }) => (row.values[key] ?? 0) !== 0);
  return (
    <div className={styles['told']} role="status">
      <p>{formatPlotDay(row, true)}</p>
      {told.length === 0 && <p>Nothing</p>}
      <dl>
        {told.map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{format(row.values[key] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
