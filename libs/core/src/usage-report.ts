import type { Store, UsageLimits, UsageRow } from './ports/store.js';
import { localDayOf, nextLocalDayEpoch } from './local-day.js';

/** The used and the remaining amount of a budget. Null: there is no limit. */
export interface Ceiling {
  spent: number;
  limit: number | null;
  left: number | null;
}

/** The remaining budget of the observer for today. */
export interface DayBudget {
  /** `YYYY-MM-DD` in local time. */
  day: string;
  /** Start of the next day and of its budget. */
  freeAtEpoch: number;
  calls: Ceiling;
  tokens: Ceiling;
  usd: Ceiling;
  /** Token limit of a session. */
  sessionTokens: number | null;
}

/** The usage and the remaining budget. */
export interface UsageReport {
  items: readonly UsageRow[];
  /** The total of all rows of the request, including those that do not fit into `items`. */
  total: UsageRow;
  today: DayBudget;
  /** The precision of the figures, for display. */
  note: string;
}

const NOTE =
  'Tokens are what the vendor reports, or what was set aside for a call that broke off; money is an estimate from list prices, the vendor’s bill is what counts.';

export type UsageRequest = Parameters<Store['usage']>[0];

/** Reads the usage and compares today's usage with the budget. */
export async function readUsageReport(
  store: Pick<Store, 'usage'>,
  request: UsageRequest,
  { limits, now }: { limits: UsageLimits; now: number },
): Promise<UsageReport> {
  const { since, sessionId } = request;
  const filter = { ...(since !== undefined && { since }), ...(sessionId !== undefined && { sessionId }) };
  const day = localDayOf(now);
  const [items, [total = NOTHING], days] = await Promise.all([
    store.usage(request),
    store.usage({ by: 'total', ...filter }),
    store.usage({ by: 'day', since: day }),
  ]);
  const today = days.find((row) => row.day === day) ?? NOTHING;
  return {
    items,
    total,
    today: {
      day,
      freeAtEpoch: nextLocalDayEpoch(now),
      calls: ceilingOf(today.calls, limits.dayCalls),
      tokens: ceilingOf(today.inputTokens + today.outputTokens, limits.dayTokens),
      usd: ceilingOf(today.estimatedCostUsd, limits.dayUsd),
      sessionTokens: limits.sessionTokens || null,
    },
    note: NOTE,
  };
}

function ceilingOf(spent: number, limit: number): Ceiling {
  return limit === 0
    ? { spent, limit: null, left: null }
    : { spent, limit, left: Math.max(0, limit - spent) };
}

const NOTHING: UsageRow = {
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
};
