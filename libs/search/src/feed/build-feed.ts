import type { RecordPlace, TimelineRecord } from '@claude-mem/core';
import { RECORD_KINDS } from '@claude-mem/lexical-index';
import type { FeedEntry, FeedPage, FeedRequest } from '../memory.js';
import type { OpenParts } from '../search/open-parts.js';
import { SearchError } from '../search-error.js';
import { readCursor, writeCursor } from './read-cursor.js';
import { readFeedFilter, type ReadFeedFilter } from './read-feed-request.js';
import { slotsInOrder } from './slots-in-order.js';

const DEFAULT_LIMIT = 50;
/** No table has an index over the time within a session, so all its observations would be read for each page. */
const LARGE_SESSION = 2_000;

/**
 * Lists records of all kinds in order of time. Uses the tables when they have an index for the filter, so that the
 * feed works without the inverted index. Uses the inverted index for other filters.
 */
export async function buildFeed(parts: OpenParts, feed: FeedRequest): Promise<FeedPage> {
  const { cursor, order = 'newest', limit = DEFAULT_LIMIT, ...rest } = feed;
  if (order !== 'newest' && order !== 'oldest')
    throw new SearchError('search/bad-request', 'order must be newest or oldest', {
      data: { field: 'order' },
    });
  const after = readCursor(cursor);
  const read = await readFeedFilter(parts, { ...rest, limit });
  if (!read.filter) return { items: [], nextCursor: null };
  const wanted = { order, limit: read.request.limit + 1, ...(after && { after }) };
  const places = await findPlaces(parts, { ...read, filter: read.filter }, wanted);
  const page = places.slice(0, read.request.limit);
  const last = page.at(-1);
  const hasMore = places.length > page.length && last !== undefined;
  return { items: await hydrate(parts, page), nextCursor: hasMore ? writeCursor(last) : null };
}

async function findPlaces(
  { store, lexical }: OpenParts,
  { filter }: ReadFeedFilter & { filter: object },
  wanted: { order: 'newest' | 'oldest'; limit: number; after?: RecordPlace },
): Promise<readonly RecordPlace[]> {
  const { types, concepts, files, hosts, ...range } = filter;
  const isByTables = !types && !concepts && !files && !hosts && !(await isLarge(store, filter.sessionIds));
  if (isByTables) return store.recordsInOrder({ ...range, ...wanted });
  await lexical.catchUp();
  return lexical.read((reader) => {
    const { documents } = reader;
    return slotsInOrder(documents, { within: reader.within(filter), ...wanted }).map((slot): RecordPlace => {
      const kind = RECORD_KINDS[documents.kind[slot] as number] as RecordPlace['kind'];
      return { epoch: documents.createdAt[slot] as number, kind, id: documents.recordId[slot] as number };
    });
  });
}

async function isLarge(
  store: OpenParts['store'],
  sessionIds: readonly number[] | undefined,
): Promise<boolean> {
  const counts = sessionIds ? await store.sessionCounts(sessionIds) : [];
  return counts.some(({ observations }) => observations > LARGE_SESSION);
}

/** Skips records that cannot be read or were deleted meanwhile. */
async function hydrate(
  { store, projects }: OpenParts,
  places: readonly RecordPlace[],
): Promise<readonly FeedEntry[]> {
  const idsOf = (kind: RecordPlace['kind']) => places.flatMap((one) => (one.kind === kind ? one.id : []));
  const [observations, summaries, prompts, names] = await Promise.all([
    store.observationsByIds(idsOf('observation')),
    store.summariesByIds(idsOf('summary')),
    store.promptsByIds(idsOf('prompt')),
    projects.names(),
  ]);
  const records: readonly TimelineRecord[] = [
    ...observations.map((item) => ({ kind: 'observation' as const, item })),
    ...summaries.map((item) => ({ kind: 'summary' as const, item })),
    ...prompts.map((item) => ({ kind: 'prompt' as const, item })),
  ];
  const found = new Map(records.map((record) => [`${record.kind} ${record.item.id}`, record]));
  const sessionIds = [...new Set(records.map(({ item }) => item.sessionId))];
  const sessions = new Map((await store.sessionsByIds(sessionIds)).map((one) => [one.id, one]));
  return places.flatMap(({ kind, id }): readonly FeedEntry[] => {
    const record = found.get(`${kind} ${id}`);
    const session = record && sessions.get(record.item.sessionId);
    if (!session) return [];
    const projectId = 'projectId' in record.item ? record.item.projectId : session.projectId;
    return [{ ...record, project: names.get(projectId) ?? '', host: session.host }];
  });
}
