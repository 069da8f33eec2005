import { fileTerms, labelTerm } from '@claude-mem/analysis';
import { KIND_NUMBERS } from '@claude-mem/storage/search-tables';
import type { RecordFilter } from '../ports/lexical-index.js';
import { createDocumentSet, narrowed, type DocumentSet } from './document-set.js';
import type { DocumentTable } from './document-table.js';

/** Where terms stand; what a filter by concept or file needs. */
export interface TermPlaces {
  slotsOf(term: string): { slots: Uint32Array; count: number };
  termsWithPrefix(prefix: string, limit: number): readonly string[];
}

/** Where more different paths end the same they are cut in the order of the paths. */
const MOST_PATHS = 20_000;

/** The live documents for which the filter holds. */
export function filterDocuments(
  filter: RecordFilter,
  documents: DocumentTable,
  places: TermPlaces,
): DocumentSet {
  const test = columnTest(filter, documents);
  const withLabels = filter.concepts?.map(labelTerm);
  const withFiles = filter.files?.flatMap((file) => pathTerms(file, places));
  let found: DocumentSet = documents.live;
  for (const terms of [withLabels, withFiles]) if (terms) found = union(terms, found, documents.size, places);
  return test ? narrowed(found, documents.size, test) : found;
}

function columnTest(filter: RecordFilter, documents: DocumentTable): ((slot: number) => boolean) | undefined {
  const tests: ((slot: number) => boolean)[] = [];
  const oneOf = (column: ArrayLike<number>, allowed: readonly (number | undefined)[] | undefined) => {
    if (!allowed) return;
    const [only] = allowed;
    if (allowed.length === 1 && only !== undefined) {
      tests.push((slot) => column[slot] === only);
      return;
    }
    const set = new Set<number | undefined>(allowed);
    set.delete(undefined);
    tests.push((slot) => set.has(column[slot]));
  };
  const { createdAt } = documents;
  const { fromEpoch, toEpoch } = filter;
  if (fromEpoch !== undefined) tests.push((slot) => (createdAt[slot] ?? 0) >= fromEpoch);
  if (toEpoch !== undefined) tests.push((slot) => (createdAt[slot] ?? 0) <= toEpoch);
  oneOf(
    documents.kind,
    filter.kinds?.map((kind) => KIND_NUMBERS[kind]),
  );
  oneOf(documents.projectId, filter.projectIds);
  oneOf(
    documents.session,
    filter.sessionIds?.map((id) => documents.sessionNumber(id)),
  );
  oneOf(
    documents.type,
    filter.types?.map((type) => documents.typeNumber(type)),
  );
  const [first, second, third, ...more] = tests;
  if (!first || !second) return first;
  if (!third) return (slot) => first(slot) && second(slot);
  return (slot) => first(slot) && second(slot) && third(slot) && more.every((test) => test(slot));
}

function pathTerms(file: string, places: TermPlaces): readonly string[] {
  const { whole, reversed } = fileTerms(file);
  if (whole === '/') return [];
  const isFolder = /[\\/]\s*$/.test(file);
  return [`${whole}/`, ...(isFolder ? [] : [whole, ...places.termsWithPrefix(reversed, MOST_PATHS)])];
}

function union(terms: readonly string[], within: DocumentSet, end: number, places: TermPlaces): DocumentSet {
  const all = createDocumentSet(end);
  for (const term of terms) {
    const { slots, count } = places.slotsOf(term);
    for (let place = 0; place < count; place += 1) {
      const slot = slots[place] ?? 0;
      if (within.has(slot)) all.add(slot);
    }
  }
  return all;
}
