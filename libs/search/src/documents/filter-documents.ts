import { fileTerms, labelTerm } from '@claude-mem/analysis';
import { KIND_NUMBERS } from '@claude-mem/storage/search-tables';
import type { RecordFilter } from '../ports/lexical-index.js';
import { createDocumentSet, type DocumentSet } from './document-set.js';
import type { DocumentTable } from './document-table.js';

/** Where terms stand; what a filter by concept or file needs. */
export interface TermPlaces {
  slotsOf(term: string): { slots: Uint32Array; count: number };
  termsWithPrefix(prefix: string, limit: number): readonly string[];
}

/** A folder that holds more different paths than this is cut in the order of the paths. */
const MOST_PATHS = 20_000;

/** The live documents for which the filter holds. */
export function filterDocuments(
  filter: RecordFilter,
  documents: DocumentTable,
  places: TermPlaces,
): DocumentSet {
  const test = columnTest(filter, documents);
  const lists = [
    filter.concepts?.map((concept) => [labelTerm(concept)]),
    filter.files?.map((file) => pathTerms(file, places)),
  ].flatMap((terms) => (terms ? [union(terms.flat(), documents, places)] : []));
  const { live } = documents;
  if (!test && lists.length === 0) return live;
  const found = createDocumentSet(documents.size);
  const [first, ...others] = lists.toSorted((left, right) => left.size - right.size);
  if (first) {
    forEachSlot(first, (slot) => {
      if (others.every((other) => other.has(slot)) && live.has(slot) && (!test || test(slot)))
        found.add(slot);
    });
  } else {
    for (let slot = 0; slot < documents.size; slot += 1)
      if (live.has(slot) && (!test || test(slot))) found.add(slot);
  }
  return found;
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
  if (reversed === '///') return [];
  const inFolder = whole.endsWith('/') ? whole : `${whole}/`;
  const isFolder = /[\\/]\s*$/.test(file);
  return [
    ...(isFolder ? [] : [whole, ...places.termsWithPrefix(reversed, MOST_PATHS)]),
    ...places.termsWithPrefix(inFolder, MOST_PATHS),
  ];
}

function union(terms: readonly string[], documents: DocumentTable, places: TermPlaces): DocumentSet {
  const all = createDocumentSet(documents.size);
  for (const term of terms) {
    const { slots, count } = places.slotsOf(term);
    for (let place = 0; place < count; place += 1) all.add(slots[place] ?? 0);
  }
  return all;
}

function forEachSlot({ bits }: DocumentSet, visit: (slot: number) => void): void {
  bits.forEach((word, place) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) visit(place * 32 + 31 - Math.clz32(rest & -rest));
  });
}
