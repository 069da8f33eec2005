import type { UsageRow } from '@claude-mem/core';
import type { PlotRow, PlotSeries } from '../../plots/plot-data.js';

/** Returns answered and failed calls by day. */
export const callRows = (rows: readonly UsageRow[]): PlotRow[] =>
  sumByDay(rows, ({ calls, failedCalls }) => ({ answered: calls - failedCalls, failed: failedCalls }));

/** Returns tokens by day. `fresh` excludes tokens from the cache of the vendor. */
export const tokenRows = (rows: readonly UsageRow[]): PlotRow[] =>
  sumByDay(rows, ({ inputTokens, cachedTokens, outputTokens }) => ({
    fresh: inputTokens - cachedTokens,
    cached: cachedTokens,
    output: outputTokens,
  }));

/** Returns cost by day and model, the most expensive first. Models beyond the number of colours are combined. */
export function costPlot(rows: readonly UsageRow[]): { rows: PlotRow[]; series: PlotSeries[] } {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.estimatedCostUsd);
  const names = [...sums]
    .filter(([, sum]) => sum > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
  const shown = names.length <= COLOURS.length ? names : names.slice(0, COLOURS.length - 1);
  const keyOf = (row: UsageRow) => (shown.includes(nameOf(row)) ? nameOf(row) : OTHERS);
  const keys = shown.length === names.length ? shown : [...shown, OTHERS];
  return {
    rows: sumByDay(rows, (row) => ({ [keyOf(row)]: row.estimatedCostUsd })),
    series: keys.map((key, index) => ({ key, label: key, colour: COLOURS[index] ?? 'var(--text-muted)' })),
  };
}

/** Formats provider and model, such as `gemini, gemini-3-flash`. A missing provider is `unknown`. */
export const nameOf = ({ provider, model }: Pick<UsageRow, 'provider' | 'model'>) =>
  [provider ?? 'unknown', model].filter(Boolean).join(', ');

function sumByDay(
  rows: readonly UsageRow[],
  valuesOf: (row: UsageRow) => Readonly<Record<string, number>>,
): PlotRow[] {
  const days = new Map<string, Record<string, number>>();
  for (const row of rows) {
    if (row.day === null) continue;
    const sums = days.get(row.day) ?? {};
    for (const [key, value] of Object.entries(valuesOf(row))) sums[key] = (sums[key] ?? 0) + value;
    days.set(row.day, sums);
  }
  return [...days].map(([day, values]) => ({ day, values }));
}

const OTHERS = 'others';
const COLOURS = [
  'var(--type-discovery)',
  'var(--type-decision)',
  'var(--type-feature)',
  'var(--type-refactor)',
  'var(--type-change)',
];
