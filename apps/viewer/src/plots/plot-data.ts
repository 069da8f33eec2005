import { localDayOf, OBSERVATION_TYPES } from '@claude-mem/core';

/** One series of a plot. `key` selects its values in the rows. */
export interface PlotSeries {
  key: string;
  label: string;
  /** A colour of tokens.css, such as `var(--type-bugfix)`. */
  colour: string;
}

/** The values of one day, or of the days from `day` to `through`, as YYYY-MM-DD. Missing values count as 0. */
export interface PlotRow {
  day: string;
  through?: string;
  values: Readonly<Record<string, number>>;
}

export interface PlotProps {
  /** Name of the plot for screen readers, such as `Observations by day`. */
  label: string;
  /** In ascending order. `fillDays` adds missing days. */
  rows: readonly PlotRow[];
  series: readonly PlotSeries[];
  /** @default formatCount */
  format?: (value: number) => string;
}

/** Returns one row for each of the last `days` days up to `today`. Adds empty rows for missing days. */
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

/** Sums seven days each, for ranges with too many days for one bar each. Only the first week can be shorter. */
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

/** Returns the sum of each series over all rows. */
export function sumOf(rows: readonly PlotRow[]): Record<string, number> {
  const sum = noValues();
  for (const { values } of rows)
    for (const [key, value] of Object.entries(values)) sum[key] = (sum[key] ?? 0) + value;
  return sum;
}

/** Returns the tick values of an axis: at most five round numbers from 0, the last one at least `largest`. */
export function axisTicks(largest: number, areIntegers: boolean): number[] {
  const least = largest / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const rounded = areIntegers ? Math.max(1, step) : step;
  return Array.from({ length: Math.ceil(largest / rounded) + 1 }, (_, index) => index * rounded);
}

/** Returns an object without prototype, so that any name can be a key, such as `constructor`. */
export const noValues = (): Record<string, number> => Object.create(null) as Record<string, number>;

/** Returns a series for each type: known types in their order, then types of modes. */
export function typeSeries(types: Iterable<string>): PlotSeries[] {
  const found = new Set(types);
  const known = OBSERVATION_TYPES.filter((type) => found.delete(type));
  return [
    ...known.map((type) => ({ key: type, label: type, colour: `var(--type-${type})` })),
    ...[...found].sort().map((type) => ({ key: type, label: type, colour: 'var(--text-muted)' })),
  ];
}

/** Formats a day as `3 Nov` or a range as `3 – 9 Nov`. `isLong` adds the weekday or the year. */
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

/** Noon, so that daylight saving time cannot change the day. */
const dateOf = (day: string) => new Date(`${day}T12:00:00`);

function dayAfter(day: string, days: number): string {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return localDayOf(date.getTime());
}
