import type { FeedItem } from '@claude-mem/worker-protocol';
import type { Filters } from '../api/filters.js';

/**
 * Returns whether an entry matches the filters. `ask`: only the worker can decide, for example about paths and dates.
 */
export function admitEntry(
  { project, host, kind, type, concepts, files, dateFrom, dateTo }: Filters,
  entry: FeedItem,
): 'yes' | 'no' | 'ask' {
  if (isOutside(project, entry.project) && !project?.some(isProjectKey)) return 'no';
  if (isOutside(host, entry.host) || isOutside(kind, entry.kind)) return 'no';
  if (type !== undefined && (entry.kind !== 'observation' || !type.includes(entry.item.type))) return 'no';
  if (concepts !== undefined && entry.kind !== 'observation') return 'no';
  if (files !== undefined && entry.kind === 'prompt') return 'no';
  const isAsked =
    project?.some(isProjectKey) || [concepts, files, dateFrom, dateTo].some((value) => value !== undefined);
  return isAsked ? 'ask' : 'yes';
}

const isOutside = (wanted: readonly string[] | undefined, value: string) =>
  wanted !== undefined && !wanted.includes(value);
/** A filter can contain the key of a project, but an entry contains only its name. */
const isProjectKey = (project: string) => /[\\/]/.test(project);
