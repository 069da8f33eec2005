import type { Page } from '@claude-mem/core';
import { and, desc, eq, lt, or, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { StorageError } from '../storage-error.js';

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;

interface Position {
  id: number;
  createdAtEpoch: number;
}

/** Lists are sorted from the newest to the oldest; at the same time, by descending id. */
export interface PageRequest {
  limit: number;
  after: Position | null;
}

/** @throws StorageError `storage/bad-cursor` for a cursor that no list returned */
export function toPageRequest(options: { limit?: number; cursor?: string }): PageRequest {
  const limit = Math.trunc(options.limit ?? DEFAULT_LIMIT);
  return {
    limit: Math.min(Math.max(Number.isNaN(limit) ? DEFAULT_LIMIT : limit, 1), MAX_LIMIT),
    after: options.cursor === undefined ? null : readCursor(options.cursor),
  };
}

interface TimedColumns {
  id: AnySQLiteColumn;
  createdAtEpoch: AnySQLiteColumn;
}

export function newestFirst({ id, createdAtEpoch }: TimedColumns): SQL[] {
  return [desc(createdAtEpoch), desc(id)];
}

export function olderThan({ id, createdAtEpoch }: TimedColumns, after: Position | null): SQL | undefined {
  if (!after) return undefined;
  return or(
    lt(createdAtEpoch, after.createdAtEpoch),
    and(eq(createdAtEpoch, after.createdAtEpoch), lt(id, after.id)),
  );
}

/** @param rows one more than the limit when there are more. Decoding may skip some of them */
export function toPage<Row extends Position, Item>(
  rows: readonly Row[],
  { limit }: PageRequest,
  decode: (rows: readonly Row[]) => readonly Item[],
): Page<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: decode(kept), nextCursor: hasMore ? `${last.createdAtEpoch}.${last.id}` : null };
}

function readCursor(cursor: string): Position {
  const match = /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor);
  if (!match)
    throw new StorageError('storage/bad-cursor', 'this is no cursor of a list', { data: { cursor } });
  return { createdAtEpoch: Number(match[1]), id: Number(match[2]) };
}
