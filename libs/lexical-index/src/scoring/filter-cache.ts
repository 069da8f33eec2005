import { filterDocuments } from '../documents/filter-documents.js';
import type { DocumentSet } from '../documents/document-set.js';
import type { RecordFilter } from '../documents/record.js';
import type { SessionHosts } from '../documents/session-hosts.js';
import type { LoadedIndex } from './loaded-index.js';

/** Number of cached filters. Each takes one bit per record. */
const FILTERS_KEPT = 16;

/** Returns the live records that match a filter, cached until the index changes. */
export function createFilterCache(
  index: LoadedIndex,
  sessionHosts: SessionHosts,
): (filter: RecordFilter) => DocumentSet {
  const { documents, postings } = index;
  const places = { slotsOf: postings.of, termsWithPrefix: postings.termsWithPrefix };
  const sets = new Map<string, DocumentSet>();
  let { changes } = index;

  return (filter) => {
    if (changes !== index.changes) sets.clear();
    changes = index.changes;
    const key = keyOf(filter);
    const known = sets.get(key);
    if (known) return known;
    const set = filterDocuments(filter, documents, { places, sessionHosts });
    const [oldest] = sets.keys();
    if (oldest !== undefined && sets.size >= FILTERS_KEPT) sets.delete(oldest);
    sets.set(key, set);
    return set;
  };
}

function keyOf(filter: RecordFilter): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
