import type { FeedFilter } from '../memory.js';
import { RECORD_KINDS, type RecordFilter, type RecordKind } from '@claude-mem/lexical-index';
import type { OpenParts } from '../search/open-parts.js';
import { readRequest, readWords, type ReadRequest } from '../search/read-request.js';
import { resolveFilter } from '../search/resolve-filter.js';

/** A validated filter of the feed. Null when no record can match. */
export interface ReadFeedFilter {
  request: ReadRequest;
  filter: (RecordFilter & { kinds: readonly RecordKind[] }) | null;
}

/** @throws SearchError `search/bad-request` */
export async function readFeedFilter(
  parts: OpenParts,
  { kinds, ...request }: FeedFilter & { limit?: number },
): Promise<ReadFeedFilter> {
  const read = readRequest(request);
  const wanted = readWords('kinds', kinds, RECORD_KINDS) ?? RECORD_KINDS;
  const filter = await resolveFilter(parts, read, wanted);
  return { request: read, filter: filter && { ...filter, kinds: wanted } };
}
