import type { ProjectDetail } from '@claude-mem/worker-protocol';
import { useMemo } from 'react';
import { counted } from '../../format/counted.js';
import { Plot } from '../../plots/Plot.js';
import { byWeek, fillDays, noValues, typeSeries, type PlotRow } from '../../plots/plot-data.js';
import { Card } from '../../ui/Card.js';
import { ChoiceButtons } from '../../ui/ChoiceButtons.js';
import { useIsNarrow } from '../../ui/use-is-narrow.js';

const RANGES = [
  { value: 30, label: '30 days' },
  { value: 90, label: '90 days' },
  { value: 365, label: '1 year' },
];
/** Maximum number of days with one bar each. Longer ranges show weeks. */
const MAX_DAYS = { narrow: 31, wide: 90 };

/** Observations by day or week and type over a range of days. */
export function ProjectActivity({
  detail: { activity, counts },
  days,
  onDays,
  isUpdating,
}: {
  detail: ProjectDetail;
  days: number;
  onDays: (days: number) => void;
  isUpdating: boolean;
}) {
  const isByWeek = days > MAX_DAYS[useIsNarrow() ? 'narrow' : 'wide'];
  const rows = useMemo(() => {
    const byDay = fillDays(rowsOf(activity), days);
    return isByWeek ? byWeek(byDay) : byDay;
  }, [activity, days, isByWeek]);
  const series = useMemo(() => typeSeries(activity.map(({ type }) => type)), [activity]);
  return (
    <Card
      title="Activity"
      actions={<ChoiceButtons label="Range" value={days} options={RANGES} onChange={onDays} />}
    >
      <p className="muted">
        {counted(counts.observations, 'observation')}, {counted(counts.summaries, 'summary', 'summaries')},{' '}
        {counted(counts.prompts, 'prompt')} and {counted(counts.sessions, 'session')} in all
      </p>
      <div data-updating={isUpdating} aria-busy={isUpdating}>
        <Plot label={`Observations by ${isByWeek ? 'week' : 'day'} and type`} rows={rows} series={series} />
      </div>
    </Card>
  );
}

function rowsOf(activity: ProjectDetail['activity']): PlotRow[] {
  const byDay = new Map<string, Record<string, number>>();
  for (const { day, type, count } of activity) {
    const values = byDay.get(day) ?? noValues();
    values[type] = (values[type] ?? 0) + count;
    byDay.set(day, values);
  }
  return [...byDay].map(([day, values]) => ({ day, values }));
}
