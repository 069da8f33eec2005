import {
  HOST_NAMES,
  toStorableText,
  sliceCharacters,
  withoutUndefined,
  type HostName,
} from '@claude-mem/core';
import type { SearchRequest } from '../memory.js';
import { SearchError } from '../search-error.js';
import { readMoment } from './read-moment.js';

/** Limits of a request. */
export const REQUEST_LIMITS = {
  /** UTF-16 code units of a query. */
  query: 16_384,
  limit: 200,
  offset: 10_000,
  /** Maximum offset without a query, when nothing is ranked. */
  offsetInList: 1_000_000,
  /** Number of values per filter. */
  list: 100,
  /** UTF-16 code units of a filter value. */
  value: 4_096,
  ids: 500,
} as const;

/** A validated request. Empty filters are removed. */
export interface ReadRequest {
  query: string;
  syntax: 'text' | 'fts5';
  limit: number;
  offset: number;
  complete: boolean;
  prefix: boolean;
  explain: boolean;
  meaning: boolean;
  orderBy: 'relevance' | 'date';
  contextFiles: readonly string[];
  semanticWindowDays: number;
  projects?: readonly string[];
  session?: string | number;
  hosts?: readonly HostName[];
  types?: readonly string[];
  concepts?: readonly string[];
  files?: readonly string[];
  fromEpoch?: number;
  toEpoch?: number;
  asOf?: number;
  signal?: AbortSignal;
}

/**
 * Validates the request of a caller. Numbers and texts above the limits are cut.
 * @throws SearchError `search/bad-request` for an invalid request
 */
export function readRequest(request: SearchRequest): ReadRequest {
  requireObject(request);
  request.signal?.throwIfAborted();
  const query = readQuery(request.query);
  const asOf = readMoment('asOf', request.asOf, 'end');
  const toEpoch = readMoment('dateTo', request.dateTo, 'end');
  const maxOffset = query === '' ? REQUEST_LIMITS.offsetInList : REQUEST_LIMITS.offset;
  return withoutUndefined({
    query,
    syntax: readChoice('syntax', request.syntax, ['text', 'fts5']),
    limit: readCount('limit', request.limit, 20, REQUEST_LIMITS.limit),
    offset: readCount('offset', request.offset, 0, maxOffset),
    complete: readSwitch('complete', request.complete),
    prefix: readSwitch('prefix', request.prefix),
    explain: readSwitch('explain', request.explain),
    meaning: readSwitch('meaning', request.meaning ?? true),
    orderBy: readChoice('orderBy', request.orderBy, ['relevance', 'date']),
    contextFiles: readList('contextFiles', request.contextFiles) ?? [],
    semanticWindowDays: readCount('semanticWindowDays', request.semanticWindowDays, 0, 1_000_000),
    projects: readList('project', request.project),
    session: readSession(request.session),
    hosts: readWords('host', request.host, HOST_NAMES),
    types: readList('type', request.type),
    concepts: readList('concepts', request.concepts),
    files: readList('files', request.files),
    fromEpoch: readMoment('dateFrom', request.dateFrom, 'start'),
    toEpoch: asOf === undefined ? toEpoch : Math.min(asOf, toEpoch ?? asOf),
    asOf,
    signal: request.signal,
  });
}

/** @throws SearchError `search/bad-request` */
export function requireObject(request: unknown): void {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw bad('request', 'must be an object such as { query: "words" }');
}

/** Minimum time of results that are found only semantically. */
export function semanticFromEpoch({ semanticWindowDays: days }: ReadRequest, now: number): number {
  return days > 0 ? now - days * 86_400_000 : -Infinity;
}

/** An integer from 0 to `max`. Larger numbers are cut. */
export function readCount(field: string, value: unknown, fallback: number, max: number): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || Number.isNaN(value)) throw bad(field, 'must be a number');
  return Math.trunc(Math.min(Math.max(value, 0), max));
}

/** One text or a list of texts, normalized as in storage. Undefined when empty. */
function readList(field: string, value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.slice(0, REQUEST_LIMITS.list).map((text) => {
    if (typeof text !== 'string') throw bad(field, 'must be text or a list of texts');
    return toStorableText(sliceCharacters(text, 0, REQUEST_LIMITS.value)).trim();
  });
  const present = [...new Set(texts)].filter((text) => text !== '');
  return present.length > 0 ? present : undefined;
}

/** One or several of the known values. */
export function readWords<Word extends string>(
  field: string,
  value: unknown,
  words: readonly Word[],
): readonly Word[] | undefined {
  return readList(field, value)?.map((text) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw bad(field, `must be some of ${words.join(', ')}`);
    return word;
  });
}

/** The required field of a search by one criterion. */
export function requireValue(field: string, value: unknown): readonly string[] {
  const values = readList(field, value);
  if (!values) throw bad(field, 'must not be empty');
  return values;
}

/** Unique values in order. */
export function readIds(ids: unknown): readonly number[] {
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(id)))
    throw bad('ids', 'must be a list of whole numbers');
  return [...new Set(ids as number[])].slice(0, REQUEST_LIMITS.ids);
}

function readQuery(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw bad('query', 'must be text');
  return toStorableText(sliceCharacters(value, 0, REQUEST_LIMITS.query)).trim();
}

function readSession(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : readList('session', value)?.[0];
}

function readChoice<Choice extends string>(
  field: string,
  value: unknown,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (value === undefined || value === null) return choices[0];
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw bad(field, `must be ${choices.join(' or ')}`);
  return chosen;
}

function readSwitch(field: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw bad(field, 'must be true or false');
  return value;
}

function bad(field: string, demand: string): SearchError {
  return new SearchError('search/bad-request', `${field} ${demand}`, { data: { field } });
}
