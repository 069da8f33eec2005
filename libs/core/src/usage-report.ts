import type { Store, UsageLimits, UsageRow } from './ports/store.js';
import { localDayOf, nextLocalDayEpoch } from './local-day.js';

/** One ceiling: what is gone of it and what is left. Null: there is no limit. */
export interface Ceiling {
  spent: number;
  limit: number | null;
  left: number | null;
}

/** What the observer may still spend today. */
export interface DayBudget {
  /** `YYYY-MM-DD`, in local time. */
  day: string;
  /** When the next day, and with it a new budget, begins. */
  freeAtEpoch: number;
  calls: Ceiling;
  tokens: Ceiling;
  usd: Ceiling;
  /** Tokens that one session may cost in all. */
  sessionTokens: number | null;
}

/** The meter, and the answer to "how much is left". */
export interface UsageReport {
  items: readonly UsageRow[];
  /** Everything that was asked for, also what did not fit into `items`. */
  total: UsageRow;
  today: DayBudget;
  /** How exact the figures are, for whoever shows them. */
  note: string;
}

const NOTE =
  'Tokens are what the vendor reports, or what was set aside for a call that broke off; money is an estimate from list prices, the vendor’s bill is what counts.';

export type UsageRequest = Parameters<Store['usage']>[0];

/** Reads the meter and holds today's spending against the ceilings. */
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
