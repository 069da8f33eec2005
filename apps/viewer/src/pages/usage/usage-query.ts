import { localDayOf } from '@claude-mem/core';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** Requests the usage since a day, grouped by `by`. */
export function usageQuery(by: 'day-model' | 'provider' | 'session', since: string) {
  const query = { by, since, limit: by === 'session' ? MAX_SESSIONS : 500 };
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => worker.usage({ query }, { signal }),
    refetchInterval: AGAIN_MS,
  });
}

/** Returns the first of the last `days` days, including today. */
export function firstDayOf(days: number, now: number): string {
  const date = new Date(now);
  return localDayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - days + 1, 12).getTime());
}

const MAX_SESSIONS = 10;
const AGAIN_MS = 30_000;
