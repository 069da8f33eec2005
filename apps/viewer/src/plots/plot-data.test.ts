import { describe, expect, it } from 'vitest';
import { axisTicks, byWeek, fillDays, noValues, sumOf, typeSeries } from './plot-data.js';

describe('fillDays', () => {
  it('returns a row for each day up to the last day, and keeps known values', () => {
    const rows = fillDays([{ day: '2026-03-01', values: { bugfix: 2 } }], 3, '2026-03-02');
    expect(rows).toEqual([
      { day: '2026-02-28', values: {} },
      { day: '2026-03-01', values: { bugfix: 2 } },
      { day: '2026-03-02', values: {} },
    ]);
  });

  it('excludes days outside the range', () => {
    const days = fillDays([{ day: '2025-01-01', values: { bugfix: 1 } }], 365, '2026-12-31');
    expect(days).toHaveLength(365);
    expect(new Set(days.map(({ day }) => day)).size).toBe(365);
    expect(days[0]?.day).toBe('2026-01-01');
    expect(sumOf(days)).toEqual({});
  });
});

describe('byWeek', () => {
  it('sums seven days each without losing a day', () => {
    const days = fillDays([], 30, '2026-11-30').map(({ day }) => ({ day, values: { change: 1 } }));
    const weeks = byWeek(days);
    expect(weeks.at(-1)).toEqual({ day: '2026-11-24', through: '2026-11-30', values: { change: 7 } });
    expect(weeks[0]).toEqual({ day: '2026-11-01', through: '2026-11-02', values: { change: 2 } });
    expect(sumOf(weeks)).toEqual({ change: 30 });
  });
});

describe('axisTicks', () => {
  it.each([
    [1, [0, 1]],
    [2, [0, 1, 2]],
    [56, [0, 20, 40, 60]],
    [100, [0, 50, 100]],
    [23_456, [0, 10_000, 20_000, 30_000]],
  ])('returns round whole numbers when the largest count is %d', (largest, ticks) =>
    expect(axisTicks(largest, true)).toEqual(ticks),
  );

  it('returns fractions when the values are not whole numbers', () => {
    expect(axisTicks(0.022, false).map((tick) => tick.toFixed(2))).toEqual(['0.00', '0.01', '0.02', '0.03']);
  });
});

describe('series with the name of an object property', () => {
  it.each(['__proto__', 'constructor', 'toString'])('B059: counts %s like any other name', (key) => {
    const values = Object.assign(noValues(), { [key]: 2, change: 1 });
    const rows = byWeek(fillDays([{ day: '2026-11-30', values }], 30, '2026-11-30'));
    expect(rows.map((row) => row.values[key] ?? 0)).toEqual([0, 0, 0, 0, 2]);
    expect(Object.entries(sumOf(rows))).toContainEqual([key, 2]);
  });
});

describe('typeSeries', () => {
  it('returns known types in their order, and then the other types', () => {
    const keys = typeSeries(['zebra', 'change', 'bugfix', 'change', 'audit']).map(({ key }) => key);
    expect(keys).toEqual(['bugfix', 'change', 'audit', 'zebra']);
  });
});
