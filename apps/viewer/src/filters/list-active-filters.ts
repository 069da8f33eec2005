import type { Filters } from '../api/filters.js';
import { hostLabel } from '../format/host-label.js';

/** Labels before the value of each filter. */
const FILTER_LABELS: Record<keyof Filters, string> = {
  project: 'project',
  host: 'host',
  kind: 'kind',
  type: 'type',
  concepts: 'concept',
  files: 'file',
  dateFrom: 'from',
  dateTo: 'to',
};

/** Returns each active filter value with its label. */
export function listActiveFilters(
  filters: Filters,
): { name: keyof Filters; label: string; value: string; formatted: string }[] {
  return (Object.keys(FILTER_LABELS) as (keyof Filters)[]).flatMap((name) => {
    const values = filters[name] ?? [];
    return (typeof values === 'string' ? [values] : values).map((value) => ({
      name,
      label: FILTER_LABELS[name],
      value,
      formatted: name === 'host' ? hostLabel(value) : value,
    }));
  });
}
