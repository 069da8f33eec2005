import { describe, expect, it } from 'vitest';
import { readUsageReport, type UsageRequest, type UsageRow } from './index.js';

const NOON = new Date(2026, 10, 28, 12).getTime();
const LIMITS = { dayCalls: 50, dayTokens: 1_000, dayUsd: 0, sessionTokens: 0 };

const row = (part: Partial<UsageRow>): UsageRow => ({
  day: null,
  sessionId: null,
  provider: null,
  model: null,
  calls: 0,
  failedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  estimatedCostUsd: 0,
  ...part,
});

/** Returns these rows for each grouping. */
function meter(rows: Partial<Record<UsageRequest['by'], readonly UsageRow[]>>) {
  const asked: UsageRequest[] = [];
  const usage = async (request: UsageRequest) => {
    asked.push(request);
    return rows[request.by] ?? [];
  };
  return { asked, store: { usage } };
}

describe('readUsageReport', () => {
  it('compares the usage of today with the budget, and returns null without a limit', async () => {
    const days = [
      row({ day: '2026-11-29', calls: 7 }),
      row({ day: '2026-11-28', calls: 12, inputTokens: 900, outputTokens: 300, estimatedCostUsd: 0.5 }),
    ];
    const { store } = meter({ day: days });
    const { today } = await readUsageReport(store, { by: 'day' }, { limits: LIMITS, now: NOON });
    expect(today).toEqual({
      day: '2026-11-28',
      freeAtEpoch: new Date(2026, 10, 29).getTime(),
      calls: { spent: 12, limit: 50, left: 38 },
      tokens: { spent: 1_200, limit: 1_000, left: 0 },
      usd: { spent: 0.5, limit: null, left: null },
      sessionTokens: null,
    });
  });

  it('returns the totals of the request, not of the listed rows', async () => {
    const { store, asked } = meter({ session: [row({ calls: 1 })], total: [row({ calls: 9 })] });
    const request = { by: 'session', since: '2026-11-01', limit: 1 } as const;
    const { items, total } = await readUsageReport(store, request, { limits: LIMITS, now: NOON });
    expect([items.length, total.calls]).toEqual([1, 9]);
    expect(asked).toContainEqual({ by: 'total', since: '2026-11-01' });
  });

  it('returns zeros before the first call', async () => {
    const { total, today } = await readUsageReport(
      meter({}).store,
      { by: 'day' },
      { limits: LIMITS, now: NOON },
    );
    expect(total).toEqual(row({}));
    expect(today.calls).toEqual({ spent: 0, limit: 50, left: 50 });
  });
});
