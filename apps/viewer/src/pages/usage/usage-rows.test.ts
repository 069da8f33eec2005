import type { UsageRow } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { firstDayOf } from './usage-query.js';
import { callRows, costPlot, nameOf, tokenRows } from './usage-rows.js';

const row = (fields: Partial<UsageRow>): UsageRow => ({
  day: '2026-11-28',
  sessionId: null,
  provider: 'gemini',
  model: 'flash',
  calls: 0,
  failedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  estimatedCostUsd: 0,
  ...fields,
});

describe('usage charts', () => {
  it('count a failed call once', () =>
    expect(callRows([row({ calls: 5, failedCalls: 2 })])).toEqual([
      { day: '2026-11-28', values: { answered: 3, failed: 2 } },
    ]));

  it('add the tokens of all models of a day, and count a cached token once', () =>
    expect(
      tokenRows([
        row({ inputTokens: 100, cachedTokens: 30, outputTokens: 5 }),
        row({ model: 'pro', inputTokens: 10, outputTokens: 1 }),
        row({ day: '2026-11-27', inputTokens: 1 }),
      ]),
    ).toEqual([
      { day: '2026-11-28', values: { fresh: 80, cached: 30, output: 6 } },
      { day: '2026-11-27', values: { fresh: 1, cached: 0, output: 0 } },
    ]));

  it('show the most expensive models and combine the others', () => {
    const rows = Array.from({ length: 8 }, (_, index) =>
      row({ model: `m${index}`, estimatedCostUsd: index }),
    );
    const { series, rows: drawn } = costPlot(rows);
    expect(series.map(({ key }) => key)).toEqual([
      'gemini, m7',
      'gemini, m6',
      'gemini, m5',
      'gemini, m4',
      'others',
    ]);
    expect(drawn[0]?.values['others']).toBe(6);
    const total = Object.values(drawn[0]?.values ?? {}).reduce((sum, value) => sum + value, 0);
    expect(total).toBe(28);
  });

  it('omit a model that costs nothing', () =>
    expect(costPlot([row({ provider: 'claude-code', calls: 3 })]).series).toEqual([]));

  it('use the name "unknown" when a call has no provider and no model', () =>
    expect(nameOf({ provider: null, model: null })).toBe('unknown'));
});

describe('firstDayOf', () => {
  it('includes today in the number of days', () => {
    const now = new Date(2026, 10, 28, 23, 59).getTime();
    expect(firstDayOf(1, now)).toBe('2026-11-28');
    expect(firstDayOf(30, now)).toBe('2026-10-30');
  });
});
