import type { Store, UsageRow } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

type UsageRequest = Parameters<Store['usage']>[0];

const MAX_ROWS = 500;

/** The fields of each grouping. The models of a provider have different prices. */
const GROUP_FIELDS: Readonly<Record<UsageRequest['by'], readonly string[]>> = {
  total: [],
  day: ['day'],
  'day-model': ['day', 'provider', 'model'],
  session: ['session_id'],
  provider: ['provider', 'model'],
};

export function createUsageReader(database: Database): (request: UsageRequest) => readonly UsageRow[] {
  const statements = Object.fromEntries(
    Object.entries(GROUP_FIELDS).map(([by, kept]) => [by, database.prepare(selectBy(kept))]),
  ) as Record<UsageRequest['by'], ReturnType<Database['prepare']>>;
  return ({ by, since = '', sessionId = null, limit = 100 }) => {
    const bounded = Math.min(Math.max(Math.trunc(limit), 1), MAX_ROWS);
    return statements[by].all({ since, sessionId, limit: bounded }) as UsageRow[];
  };
}

function selectBy(kept: readonly string[]): string {
  const column = (name: string) => (kept.includes(name) ? name : 'NULL');
  return `
    SELECT ${column('day')} AS day, ${column('session_id')} AS sessionId, ${column('provider')} AS provider,
      nullif(${column('model')}, '') AS model, coalesce(sum(calls), 0) AS calls,
      coalesce(sum(failed_calls), 0) AS failedCalls, coalesce(sum(input_tokens), 0) AS inputTokens,
      coalesce(sum(output_tokens), 0) AS outputTokens, coalesce(sum(cached_tokens), 0) AS cachedTokens,
      coalesce(sum(estimated_cost_usd), 0.0) AS estimatedCostUsd
    FROM usage
    WHERE day >= :since AND (:sessionId IS NULL OR session_id = :sessionId)
    ${kept.length > 0 ? `GROUP BY ${kept.join(', ')}` : ''}
    ORDER BY 1 DESC, estimatedCostUsd DESC, inputTokens + outputTokens DESC, calls DESC, 2, 3, 4
    LIMIT :limit`;
}
