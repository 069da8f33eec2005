import { RECORD_KINDS, type RecordKind } from '../documents/record.js';
import type { AddRecords, RecordToIndex } from './add-records.js';
import { isRebuilding } from './rebuild-index.js';
import type { SqlDatabase } from './sql-database.js';

/** Reads stored records by id. Records that cannot be read are skipped. */
export type ReadRecords = Record<RecordKind, (ids: readonly number[]) => readonly RecordToIndex[]>;

/**
 * Indexes pending records in the caller's transaction, fewer than the limit when they are long. Returns whether others may still be
 * pending.
 */
export type TakePending = (limit: number) => boolean;

/** Records that are read together. */
const TAKEN_AT_ONCE = 8;
/** Most bytes of terms that are indexed by one call. */
const MOST_BYTES = 512 * 1024;

export function createTakePending(
  database: SqlDatabase,
  addRecords: AddRecords,
  records: ReadRecords,
): TakePending {
  const pending = database
    .prepare('SELECT record_id FROM search_pending WHERE kind = ? ORDER BY record_id DESC LIMIT ?')
    .pluck();
  const taken = database.prepare(
    'DELETE FROM search_pending WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))',
  );
  const forget = database.prepare(
    'DELETE FROM search_documents WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))',
  );
  // During a rebuild, the count is of the records that were indexed again.
  const countAgain = database.prepare(`UPDATE search_state SET value = value + ? WHERE name = 'documents'`);

  return (limit) => {
    let left = limit;
    let bytes = 0;
    for (const [number, kind] of RECORD_KINDS.entries()) {
      while (left > 0 && bytes < MOST_BYTES) {
        const ids = pending.all(number, Math.min(left, TAKEN_AT_ONCE)) as number[];
        if (ids.length === 0) break;
        const list = JSON.stringify(ids);
        const { changes } = forget.run(number, list);
        if (changes > 0 && isRebuilding(database)) countAgain.run(changes);
        bytes += addRecords(records[kind](ids));
        taken.run(number, list);
        left -= ids.length;
      }
    }
    return left === 0 || bytes >= MOST_BYTES;
  };
}
