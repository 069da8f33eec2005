import { ClaudeMemError } from '@claude-mem/core';

/** A part of the index cannot be read. The index is part of a database, so the error has the code of a damaged database. */
export function damaged(): ClaudeMemError<'storage/corrupt'> {
  return new ClaudeMemError('storage/corrupt', 'the search index is damaged; run: claude-mem reindex');
}

/** Whether an error reports damage in the inverted index or in FTS5. The records are not affected. */
export function isIndexDamage(error: unknown): boolean {
  return isFullTextDamage(error) || (ClaudeMemError.isInstance(error) && error.code === 'storage/corrupt');
}

/** Whether an error of SQLite reports damage in FTS5 alone. */
export function isFullTextDamage(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'SQLITE_CORRUPT_VTAB';
}
