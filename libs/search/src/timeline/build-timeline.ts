import { noLexicalMatch, type RecordPosition, type TimelineRecord } from '@claude-mem/core';
import type { Degradation, Timeline, TimelineEntry, TimelineRequest } from '../memory.js';
import type { OpenParts } from '../search/open-parts.js';
import { readCount, readRequest, requireObject } from '../search/read-request.js';
import { resolveFilter } from '../search/resolve-filter.js';
import { searchObservations } from '../search/search-observations.js';
import { readAnchor, type Anchor } from './read-anchor.js';

const MAX_DEPTH = 100;

/** Returns the records around an anchor, all kinds in order of time. */
export async function buildTimeline(parts: OpenParts, request: TimelineRequest): Promise<Timeline> {
  requireObject(request);
  const filters = readRequest({ ...(request.project !== undefined && { project: request.project }) });
  const anchor = readAnchor(request.anchor);
  const before = readCount('before', request.before, 10, MAX_DEPTH);
  const after = readCount('after', request.after, 10, MAX_DEPTH);
  const { at, degraded } = await locate(parts, anchor, request);
  const filter = await resolveFilter(parts, filters, []);
  if (!at || !filter) return { entries: [], anchorIndex: null, degraded };
  const { projectIds } = filter;
  const records = await parts.store.recordsAround({ at, before, after, ...(projectIds && { projectIds }) });
  const sessionIds = records.flatMap(({ kind, item }) => (kind === 'prompt' ? [item.sessionId] : []));
  const sessions = await parts.store.sessionsByIds(sessionIds);
  const projectOf = ({ item }: TimelineRecord): number =>
    'projectId' in item ? item.projectId : (sessions.find(({ id }) => id === item.sessionId)?.projectId ?? 0);
  const isAnchor = ({ kind, item }: TimelineRecord) => kind === at.kind && item.id === at.id;
  const anchorRecord = records.find(isAnchor);
  const isElsewhere = anchorRecord && projectIds && !projectIds.includes(projectOf(anchorRecord));
  if (isElsewhere) return { entries: [], anchorIndex: null, degraded };
  const names = await parts.projects.names();
  const entries = records.map((record): TimelineEntry => ({
    ...record,
    project: names.get(projectOf(record)) ?? '',
  }));
  const place = records.findIndex(anchorRecord ? isAnchor : ({ item }) => item.createdAtEpoch >= at.epoch);
  return { entries, anchorIndex: place < 0 ? entries.length : place, degraded };
}

async function locate(
  parts: OpenParts,
  anchor: Anchor,
  { project }: TimelineRequest,
): Promise<{ at: RecordPosition | null; degraded: readonly Degradation[] }> {
  if (anchor.kind === 'moment') return { at: { epoch: anchor.epoch }, degraded: [] };
  if (anchor.kind === 'query') {
    const request = readRequest({ query: anchor.query, limit: 1, ...(project !== undefined && { project }) });
    const { items, strategy, degraded } = await searchObservations(parts, request);
    const best = items[0]?.item;
    if (!best) return { at: null, degraded };
    const nearestOnly: Degradation = {
      part: 'lexical',
      reason: `${noLexicalMatch(project !== undefined)}; the timeline shows the record that matches best semantically`,
    };
    return {
      at: { epoch: best.createdAtEpoch, kind: 'observation', id: best.id },
      degraded: strategy === 'semantic' ? [...degraded, nearestOnly] : degraded,
    };
  }
  const { record: kind, id } = anchor;
  const { store } = parts;
  const ids = [id];
  const [found] =
    kind === 'observation'
      ? await store.observationsByIds(ids)
      : kind === 'summary'
        ? await store.summariesByIds(ids)
        : await store.promptsByIds(ids);
  return { at: found ? { epoch: found.createdAtEpoch, kind, id } : null, degraded: [] };
}
