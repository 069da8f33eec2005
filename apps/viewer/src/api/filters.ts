import { toInstant } from '@claude-mem/core';

/** Filters of a feed or a search. They are stored in the URL, so that a view can be bookmarked. */
export interface Filters {
  project?: string[];
  host?: string[];
  kind?: string[];
  type?: string[];
  concepts?: string[];
  files?: string[];
  dateFrom?: string;
  dateTo?: string;
}

const LISTS = ['project', 'host', 'kind', 'type', 'concepts', 'files'] as const;
const TEXTS = ['dateFrom', 'dateTo'] as const;

/** Reads the filters from the parameters of a URL. Invalid values are ignored. */
export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of LISTS) {
    const values = listOf(search[name]);
    if (values.length > 0) filters[name] = values;
  }
  for (const name of TEXTS) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  return filters;
}

/**
 * Returns the filters for the worker. Converts days to times, because the time zone of the browser can differ from
 * the worker's.
 */
export function withInstants(filters: Filters): Filters {
  const { dateFrom, dateTo } = filters;
  return {
    ...filters,
    ...(dateFrom === undefined ? {} : { dateFrom: toInstant(dateFrom, 'start') }),
    ...(dateTo === undefined ? {} : { dateTo: toInstant(dateTo, 'end') }),
  };
}

export function hasFilters(filters: Filters): boolean {
  return Object.keys(readFilters({ ...filters })).length > 0;
}

function listOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.filter((item): item is string => typeof item === 'string' && item !== ''))];
}

export function withFilter(filters: Filters, name: keyof Filters, value: string): Filters {
  const isText = TEXTS.some((text) => text === name);
  return readFilters({ ...filters, [name]: isText ? value : [...listOf(filters[name]), value] });
}

export function withoutFilter(filters: Filters, name: keyof Filters, value: string): Filters {
  return readFilters({ ...filters, [name]: listOf(filters[name]).filter((other) => other !== value) });
}
