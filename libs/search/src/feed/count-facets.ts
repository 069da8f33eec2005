import { HOST_NAMES } from '@claude-mem/core';
import {
  type DocumentSet,
  inSlices,
  type LexicalReader,
  NO_HOST,
  RECORD_KINDS,
} from '@claude-mem/lexical-index';
import type { FacetCounts, FacetsRequest } from '../memory.js';
import type { OpenParts } from '../search/open-parts.js';
import { readFeedFilter } from './read-feed-request.js';
import type { LabelColumn } from './label-columns.js';

const MOST_LABELS = 30;
/** Number of records whose labels are read in one slice of a few milliseconds. */
const SLICE = 512;

type Field = 'projectIds' | 'hosts' | 'kinds' | 'types' | 'concepts' | 'files';

/** Counts the records per value of each field, among the records that match all other filters. */
export async function countFacets(parts: OpenParts, request: FacetsRequest): Promise<FacetCounts> {
  const { fileText, ...rest } = request;
  const { filter } = await readFeedFilter(parts, rest);
  if (!filter) return { total: 0, projects: [], hosts: [], kinds: [], types: [], concepts: [], files: [] };
  await parts.lexical.catchUp();
  const key = JSON.stringify([filter, fileText]);
  const known = parts.lexical.read((reader) => parts.counted.get(reader.within(filter))?.get(key));
  if (known) return known;
  await takeInLabels(parts);
  const names = await parts.projects.names();
  return parts.lexical.read((reader) => {
    parts.labels.refresh(reader.documents, Infinity);
    const isGiven = (field: Field) =>
      field === 'kinds' ? Boolean(rest.kinds?.length) : Boolean(filter[field]);
    const all = reader.within(filter);
    const without = (field: Field): DocumentSet => {
      if (!isGiven(field)) return all;
      const { [field]: _, ...others } = filter;
      return reader.within(others);
    };
    const { counted } = parts;
    const byKey = counted.get(all) ?? new Map<string, FacetCounts>();
    const counts = count(parts, reader, { all, without, names, fileText: fileText?.toLowerCase() ?? '' });
    counted.set(all, byKey.size < MOST_COUNTED ? byKey.set(key, counts) : new Map([[key, counts]]));
    return counts;
  });
}

const MOST_COUNTED = 20;

/** The first call reads the complete memory, so it yields to the event loop. */
async function takeInLabels({ lexical, labels }: OpenParts): Promise<void> {
  await inSlices(() => lexical.read(({ documents }) => labels.refresh(documents, SLICE)));
}

function count(
  { lexical: { sessionHosts }, labels }: OpenParts,
  { documents }: LexicalReader,
  {
    all,
    without,
    names,
    fileText,
  }: {
    all: DocumentSet;
    without(field: Field): DocumentSet;
    names: ReadonlyMap<number, string>;
    fileText: string;
  },
): FacetCounts {
  const hostOf = sessionHosts.ofSessions(documents);
  const { session, kind, type, projectId, createdAt } = documents;
  const types: number[] = [];
  const projects = new Map<number, number>();
  const hosts = new Uint32Array(NO_HOST + 1);
  const kinds = new Uint32Array(RECORD_KINDS.length);
  const add = (counts: Uint32Array | number[], number: number) => {
    counts[number] = (counts[number] ?? 0) + 1;
  };
  eachSlot(without('projectIds'), (slot) => {
    const id = projectId[slot] as number;
    projects.set(id, (projects.get(id) ?? 0) + 1);
  });
  eachSlot(without('hosts'), (slot) => add(hosts, hostOf[session[slot] as number] as number));
  eachSlot(without('kinds'), (slot) => add(kinds, kind[slot] as number));
  const nameOfType: (string | null)[] = [];
  eachSlot(without('types'), (slot) => {
    const number = type[slot] as number;
    add(types, number);
    nameOfType[number] ??= documents.typeOf(slot);
  });
  const concepts = countLabels(without('concepts'), labels.concepts);
  const { files } = labels;
  const newest = new Float64Array(files.count);
  const filesCounted = countLabels(without('files'), files, (slot, number) => {
    const time = createdAt[slot] as number;
    if (time > (newest[number] as number)) newest[number] = time;
  });
  const isWanted = (number: number) =>
    fileText === '' || files.nameOf(number).toLowerCase().includes(fileText);
  return {
    total: all.size,
    projects: mostFirst(
      [...projects].map(([id, count]) => ({ id, name: names.get(id) ?? '', count })),
      ({ name }) => name,
    ),
    hosts: mostFirst(
      HOST_NAMES.map((value, number) => ({ value, count: hosts[number] ?? 0 })).filter(
        ({ count }) => count > 0,
      ),
      ({ value }) => value,
    ),
    kinds: RECORD_KINDS.map((value, number) => ({ value, count: kinds[number] ?? 0 })).filter(
      (one) => one.count > 0,
    ),
    types: mostFirst(
      types.flatMap((count, number) => {
        const value = nameOfType[number];
        return typeof value === 'string' ? [{ value, count }] : [];
      }),
      ({ value }) => value,
    ),
    concepts: top(concepts, MOST_LABELS, () => true).map((number) => ({
      value: labels.concepts.nameOf(number),
      count: concepts[number] as number,
    })),
    files: top(filesCounted, MOST_LABELS, isWanted).map((number) => ({
      value: files.nameOf(number),
      count: filesCounted[number] as number,
      project: names.get(files.projectOf(number)) ?? '',
      lastEpoch: newest[number] as number,
    })),
  };
}

function eachSlot({ bits }: DocumentSet, visit: (slot: number) => void): void {
  for (let place = 0; place < bits.length; place += 1)
    for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1)
      visit(place * 32 + 31 - Math.clz32(rest & -rest));
}

function countLabels(
  set: DocumentSet,
  { starts, numbers, count }: LabelColumn,
  onDocument?: (slot: number, number: number) => void,
): Uint32Array {
  const counts = new Uint32Array(count);
  eachSlot(set, (slot) => {
    const end = starts[slot + 1] ?? 0;
    for (let at = starts[slot] ?? 0; at < end; at += 1) {
      const number = numbers[at] as number;
      counts[number] = (counts[number] as number) + 1;
      onDocument?.(slot, number);
    }
  });
  return counts;
}

/** The most frequent numbers; of equal ones the first seen. */
function top(counts: Uint32Array, limit: number, isWanted: (number: number) => boolean): readonly number[] {
  const best: number[] = [];
  for (let number = 0; number < counts.length; number += 1) {
    const value = counts[number] as number;
    const least = best.length < limit ? 0 : (counts[best.at(-1) as number] as number);
    if (value <= least || !isWanted(number)) continue;
    let place = best.length;
    while (place > 0 && (counts[best[place - 1] as number] as number) < value) place -= 1;
    best.splice(place, 0, number);
    if (best.length > limit) best.pop();
  }
  return best;
}

function mostFirst<Counted extends { count: number }>(
  items: readonly Counted[],
  nameOf: (item: Counted) => string,
): readonly Counted[] {
  return items.toSorted((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1));
}
