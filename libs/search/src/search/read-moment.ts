import { parseMoment } from '@claude-mem/core';
import { SearchError } from '../search-error.js';

/** @throws SearchError `search/bad-request` that names the field */
export function readMoment(field: string, value: unknown, edge: 'start' | 'end'): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const epoch = typeof value === 'string' || typeof value === 'number' ? parseMoment(value, edge) : null;
  if (epoch === null)
    throw new SearchError(
      'search/bad-request',
      `${field} must be a date (2026-11-28), a time (2026-11-28T14:30, with Z or +01:00 if it is not local) or epoch milliseconds`,
      { data: { field } },
    );
  return epoch;
}
