import type { Clock, Logger } from '@claude-mem/core';
import { createAddRecords, type AddRecords } from './add-records.js';
import { createDropDeadTerms } from './drop-dead-terms.js';
import { createFolder } from './fold-documents.js';
import { fullTextMergeSteps } from './full-text.js';
import { createIndexUpkeep, type IndexUpkeep } from './index-upkeep.js';
import type { SqlDatabase } from './sql-database.js';
import { createTakePending, type ReadRecords, type TakePending } from './take-pending.js';
import { createTermRegister } from './term-register.js';

/** Writes the index of one database. There must be only one writer of a database. */
export interface IndexWriter {
  add: AddRecords;
  takePending: TakePending;
  readonly upkeep: IndexUpkeep;
  /** Rebuilds an index of another analysis, and completes one that lacks a few records. For when the database is opened. */
  bringUpToDate(): Promise<void>;
  /** Removes all words that no record contains any more. One step takes a few milliseconds. */
  eraseSteps(): Generator<void, void>;
}

/**
 * Opens the index of a database for writing. The tables must exist.
 * @param options.records reads stored records, to index them when they are pending
 */
export function createIndexWriter(
  database: SqlDatabase,
  options: { records: ReadRecords; clock: Clock; logger: Logger },
): IndexWriter {
  const { records, clock, logger } = options;
  const register = createTermRegister(database);
  const add = createAddRecords(database, register);
  const takePending = createTakePending(database, add, records);
  const fold = createFolder(database, register);
  const dropDeadTerms = createDropDeadTerms(database, register);
  const { bringUpToDate, ...upkeep } = createIndexUpkeep(database, { takePending, fold, clock, logger });
  return {
    add,
    takePending,
    upkeep,
    bringUpToDate,
    *eraseSteps() {
      yield* dropDeadTerms();
      yield* fullTextMergeSteps(database);
    },
  };
}
