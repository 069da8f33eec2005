import { HOST_NAMES, type HostName } from '@claude-mem/core';
import type { FeedFilter } from '../memory.js';
import { RECORD_KINDS, type RecordFilter, type RecordKind } from '../ports/lexical-index.js';
import type { OpenParts } from '../search/open-parts.js';
import { readRequest, type ReadRequest } from '../search/read-request.js';
import { resolveFilter } from '../search/resolve-filter.js';
import { SearchError } from '../search-error.js';

/** A filter of the feed as it was understood; null where nothing can pass it. */
export interface ReadFeedFilter {
  request: ReadRequest;
  filter: (RecordFilter & { kinds: readonly RecordKind[] }) | null;
  hosts: readonly HostName[] | undefined;
}

/** @throws SearchError `search/bad-request` */
export async function readFeedFilter(
  parts: OpenParts,
  { hosts, kinds, ...request }: FeedFilter & { limit?: number },
): Promise<ReadFeedFilter> {
  const read = readRequest(request);
  const wanted = readWords('kinds', kinds, RECORD_KINDS) ?? RECORD_KINDS;
  const filter = await resolveFilter(parts, read, wanted);
  return {
    request: read,
    filter: filter && { ...filter, kinds: wanted },
    hosts: readWords('hosts', hosts, HOST_NAMES),
  };
}

function readWords<Word extends string>(
  field: string,
  values: readonly string[] | undefined,
  words: readonly Word[],
): readonly Word[] | undefined {
  if (!values?.length) return undefined;
  return values.map((value) => {
    const word = words.find((one) => one === value);
    if (word === undefined)
      throw new SearchError('search/bad-request', `${field} must be some of ${words.join(', ')}`, {
        data: { field },
      });
    return word;
  });
}
