import { localDayOf, OBSERVATION_TYPES } from '@claude-mem/core';

/** One colour and pattern of a plot. `key` selects its numbers in the rows. */
export interface PlotSeries {
  key: string;
  label: string;
  /** A colour of tokens.css, `var(--type-bugfix)`. */
  colour: string;
}

/** The numbers of one day, or of the days `day` to `through`, as YYYY-MM-DD. Missing keys count as 0. */
export interface PlotRow {
  day: string;
  through?: string;
  values: Readonly<Record<string, number>>;
}

/** Numbers over days for a plot. */
export interface PlotProps {
  /** What the numbers are, `Observations by day`: the name of the plot for screen readers. */
  label: string;
  /** In order of time, see `fillDays`. */
  rows: readonly PlotRow[];
  series: readonly PlotSeries[];
  /** @default formatCount */
  format?: (value: number) => string;
}

/** One row for each of the last `days` days up to `today`, in order, so that a quiet day is seen as one. */
export function fillDays(
  rows: readonly PlotRow[],
  days: number,
  today: string = localDayOf(Date.now()),
): PlotRow[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = dayAfter(today, index - days + 1);
    return known.get(day) ?? { day, values: noValues() };
  });
}

/** Sums of seven days each, the last of them full: for ranges of which a day would be too thin to see. */
export function byWeek(rows: readonly PlotRow[]): PlotRow[] {
  const weeks: PlotRow[] = [];
  for (let end = rows.length; end > 0; end -= WEEK_DAYS) {
    const days = rows.slice(Math.max(0, end - WEEK_DAYS), end);
    const [first, last] = [days[0], days.at(-1)];
    if (first !== undefined && last !== undefined)
      weeks.unshift({ day: first.day, through: last.day, values: sumOf(days) });
  }
  return weeks;
}

/** The sum of every series over all rows. */
export function sumOf(rows: readonly PlotRow[]): Record<string, number> {
  const sum = noValues();
  for (const { values } of rows)
    for (const [key, value] of Object.entries(values)) sum[key] = (sum[key] ?? 0) + value;
  return sum;
}

/** The values at the lines of an axis: at most five round numbers from 0 on, the last one at least `largest`. */
export function axisTicks(largest: number, areIntegers: boolean): number[] {
  const least = largest / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const rounded = areIntegers ? Math.max(1, step) : step;
  return Array.from({ length: Math.ceil(largest / rounded) + 1 }, (_, index) => index * rounded);
}

/** To count in by any name, also one that every object has, as `constructor`. */
export const noValues = (): Record<string, number> => Object.create(null) as Record<string, number>;

/** A series per type of observation that occurs: the known ones in their order, those of a mode after them. */
export function typeSeries(types: Iterable<string>): PlotSeries[] {
  const found = new Set(types);
  const known = OBSERVATION_TYPES.filter((type) => found.delete(type));
  return [
    ...known.map((type) => ({ key: type, label: type, colour: `var(--type-${type})` })),
    ...[...found].sort().map((type) => ({ key: type, label: type, colour: 'var(--text-muted)' })),
  ];
}

/** `3 Nov`, `3 – 9 Nov`; with `isLong` also the weekday or the year. */
export function formatPlotDay({ day, through }: Pick<PlotRow, 'day' | 'through'>, isLong = false): string {
  if (through !== undefined) return (isLong ? longRange : short).formatRange(dateOf(day), dateOf(through));
  return (isLong ? long : short).format(dateOf(day));
}

const WEEK_DAYS = 7;
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const long = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const longRange = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** Noon: no change of clocks moves it into another day. */
const dateOf = (day: string) => new Date(`${day}T12:00:00`);

function dayAfter(day: string, days: number): string {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return localDayOf(date.getTime());
}
