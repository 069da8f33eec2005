import type { FeedItem } from '@claude-mem/worker-protocol';
import type { Filters } from '../api/filters.js';

/**
 * Whether an entry passes filters, as far as a browser can say; `ask`: the worker decides, which knows what a path or a
 * date means.
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
/** A project may also be named by its key, which an entry does not carry. */
const isProjectKey = (project: string) => /[\\/]/.test(project);
