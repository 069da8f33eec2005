import { ClaudeMemError } from '@claude-mem/core';

const CODES: ReadonlySet<string> = new Set([
  'storage/busy',
  'storage/write-failed',
  'storage/unreadable',
  'storage/corrupt',
  'storage/closed',
]);

/**
 * Returns true if no event can be stored now: the database is locked or damaged, or the disk is full, read-only or
 * failing. Later events must then wait, so that the order of a session is preserved.
 */
export const isStorageUnavailable = (error: unknown): boolean =>
  ClaudeMemError.isInstance(error) && CODES.has(error.code);
