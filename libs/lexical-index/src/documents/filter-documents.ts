import { fileTerms, labelTerm } from '../analysis/marker-terms.js';
import { HOST_NAMES, type HostName } from '@claude-mem/core';
import { RECORD_KINDS, type RecordFilter } from './record.js';
import { setOfBits, type DocumentSet } from './document-set.js';
import type { DocumentTable } from './document-table.js';
import { NO_HOST, type SessionHosts } from './session-hosts.js';

/** Provides the postings that a filter by concept or file needs. */
export interface TermPlaces {
  slotsOf(term: string): { slots: Uint32Array; count: number };
  termsWithPrefix(prefix: string, limit: number): readonly string[];
}

/** When more different paths have the same end, only the first ones in alphabetical order are used. */
const MOST_PATHS = 20_000;
/** Maximum number of ends of an absolute path that are tried as a path in a project. */
const MOST_ENDS = 40;

/** Returns the live documents that match the filter. */
export function filterDocuments(
  filter: RecordFilter,
  documents: DocumentTable,
  { places, sessionHosts }: { places: TermPlaces; sessionHosts: SessionHosts },
): DocumentSet {
  const bits = documents.live.bits.slice(0, (documents.size + 31) >>> 5);
  const { kinds, projectIds, sessionIds, hosts, types, concepts, files, fromEpoch, toEpoch } = filter;
  if (concepts) keepThoseOf(bits, concepts.map(labelTerm), places);
  if (files) {
    const terms = files.flatMap((file) => pathTerms(file, places));
    keepThoseOf(bits, terms, places);
  }
  // The most selective conditions run first, because each one checks only the remaining documents.
  if (projectIds) keepOneOf(bits, documents.projectId, projectIds);
  if (sessionIds) {
    const numbers = sessionIds.map((id) => documents.sessionNumber(id));
    keepOneOf(bits, documents.session, numbers);
  }
  if (kinds) {
    const numbers = kinds.map((kind) => RECORD_KINDS.indexOf(kind));
    keepOneOf(bits, documents.kind, numbers);
  }
  if (types) {
    const numbers = types.map((type) => documents.typeNumber(type));
    keepOneOf(bits, documents.type, numbers);
  }
  if (hosts) keepFrom(bits, documents.session, sessionHosts.ofSessions(documents), hosts);
  if (fromEpoch !== undefined || toEpoch !== undefined)
    keepBetween(bits, documents.createdAt, fromEpoch ?? -Infinity, toEpoch ?? Infinity);
  return setOfBits(bits);
}

// Three similar loops, because a callback would be several times slower.

function keepOneOf(
  bits: Uint32Array,
  column: Uint8Array | Uint32Array,
  allowed: readonly (number | undefined)[],
): void {
  const wanted = new Set(allowed);
  const [first] = wanted;
  const isOnly = wanted.size === 1;
  for (let place = 0; place < bits.length; place += 1) {
    let kept = 0;
    for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      const value = column[place * 32 + bit] as number;
      if (isOnly ? value === first : wanted.has(value)) kept |= 1 << bit;
    }
    bits[place] = kept;
  }
}

function keepFrom(
  bits: Uint32Array,
  sessions: Uint32Array,
  hostOf: Uint8Array,
  hosts: readonly HostName[],
): void {
  const isWanted = new Uint8Array(NO_HOST + 1);
  for (const host of hosts) isWanted[HOST_NAMES.indexOf(host)] = 1;
  for (let place = 0; place < bits.length; place += 1) {
    let kept = 0;
    for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      if (isWanted[hostOf[sessions[place * 32 + bit] as number] as number] === 1) kept |= 1 << bit;
    }
    bits[place] = kept;
  }
}

function keepBetween(bits: Uint32Array, column: Float64Array, from: number, to: number): void {
  for (let place = 0; place < bits.length; place += 1) {
    let kept = 0;
    for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      const value = column[place * 32 + bit] as number;
      if (value >= from && value <= to) kept |= 1 << bit;
    }
    bits[place] = kept;
  }
}

function keepThoseOf(bits: Uint32Array, terms: readonly string[], places: TermPlaces): void {
  const held = new Uint32Array(bits.length);
  for (const term of terms) {
    const { slots, count } = places.slotsOf(term);
    for (let place = 0; place < count; place += 1) {
      const slot = slots[place] as number;
      held[slot >>> 5] = (held[slot >>> 5] as number) | (1 << (slot & 31));
    }
  }
  for (let place = 0; place < bits.length; place += 1)
    bits[place] = (bits[place] as number) & (held[place] as number);
}

function pathTerms(file: string, places: TermPlaces): readonly string[] {
  const { complete: path, reversed } = fileTerms(file);
  if (path === '/') return [];
  const isFolder = /[\\/]\s*$/.test(file);
  const termsOf = (path: string) => [`${path}/`, ...(isFolder ? [] : [path])];
  return [
    ...termsOf(path),
    ...(isFolder ? [] : places.termsWithPrefix(reversed, MOST_PATHS)),
    ...(/^(?:[\\/]|[a-z]:[\\/])/i.test(file)
      ? (endsOf(path).map(termsOf).find(hasRecords(places)) ?? [])
      : []),
  ];
}

/** The ends of an absolute path, longest first, because records contain paths relative to their project. */
function endsOf(path: string): string[] {
  const names = path.split('/').slice(2, MOST_ENDS);
  return names.map((_, at) => `/${names.slice(at).join('/')}`);
}

const hasRecords =
  (places: TermPlaces) =>
  (terms: readonly string[]): boolean =>
    terms.some((term) => places.slotsOf(term).count > 0);
