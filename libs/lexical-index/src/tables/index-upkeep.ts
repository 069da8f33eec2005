import { messageOf, type Clock, type Logger } from '@claude-mem/core';
import { ANALYSIS_VERSION } from '../analysis/analyze-record.js';
import type { IndexState } from '../documents/record.js';
import { FOLD_BYTES, FOLD_LIMIT } from './fold-documents.js';
import { mergeNothingOnDelete } from './full-text.js';
import { isIndexDamage } from './index-damage.js';
import { inspectIndex } from './inspect-index.js';
import { endRebuild, hasPending, isRebuilding, rebuildIndex, repairDocuments } from './rebuild-index.js';
import type { SqlDatabase } from './sql-database.js';
import type { TakePending } from './take-pending.js';

/** Completes the index, merges new documents into the postings, and repairs damage. Each call has transactions of its own. */
export interface IndexUpkeep {
  state(): Promise<IndexState>;
  /** Indexes some pending records, newest first; call it when idle. `done` is true when nothing is pending. */
  step(options?: {
    /** Maximum number of records; fewer when they are long. @default 500 */
    limit?: number;
    /** Merges new documents into the postings when this many wait; until then readers hold them in memory. @default 512 */
    foldAt?: number;
  }): Promise<IndexState & { done: boolean }>;
  /** Empties the index and queues all records: until `step` is done, words find only what is indexed again. */
  rebuild(): Promise<IndexState>;
  /**
   * Reads all of the index, for example after a reader found damage, and rebuilds it when something is wrong; at most once a day.
   * False when it is damaged and was not rebuilt.
   */
  repair(): Promise<boolean>;
  /** Damage that is not repaired automatically, for a person; null when there is none. */
  problem(): Promise<string | null>;
  /** Deletes what removed records left in the index, when it is much: rebuilds an index that is mostly removed records. */
  compact(): Promise<void>;
}

/** At most so many removed documents are not worth a rebuild. */
const FEW_REMOVED = 5_000;
/** Removed vectors that readers are told one by one. */
const MOST_REMOVED_VECTORS = 200_000;
const FORGOTTEN_AT_ONCE = 10_000;
const STEP = 500;
/** Documents that readers may hold in memory while no more are written. */
const FEW_WAITING = 512;
const BYTES_PER_WAITING = FOLD_BYTES / FOLD_LIMIT;
/** An index that is damaged again within this time is not rebuilt automatically. */
const REPAIR_AGAIN_MS = 24 * 60 * 60 * 1_000;
const DAMAGED_AGAIN =
  'The search index was rebuilt automatically and is damaged again. Run "claude-mem reindex --words". If it is damaged once more, check the disk.';
/** Records that are indexed when the database is opened; more are left to `step`. */
const AT_OPEN = 500;

export function createIndexUpkeep(
  database: SqlDatabase,
  parts: { takePending: TakePending; fold(): void; clock: Clock; logger: Logger },
): IndexUpkeep & {
  /** Rebuilds an index of another analysis, and completes one that lacks a few records. For when the database is opened. */
  bringUpToDate(): Promise<void>;
} {
  const { takePending, fold, clock, logger } = parts;
  const stateRow = database.prepare(`
    SELECT max(value, 0) AS indexed, max(value, 0) + (SELECT count(*) FROM search_pending) AS total
    FROM search_state WHERE name = 'documents'`);
  const readState = () => stateRow.get() as IndexState;
  const waiting = database.prepare(
    'SELECT count(*) AS documents, coalesce(sum(length(terms)), 0) AS bytes FROM search_unfolded',
  );
  const isFoldDue = (threshold: number) => {
    const { documents, bytes } = waiting.get() as Record<'documents' | 'bytes', number>;
    return documents >= threshold || bytes >= threshold * BYTES_PER_WAITING;
  };
  const takeStep = database.transaction((limit: number, foldAt: number) => {
    const isBusy = takePending(limit);
    if (isRebuilding(database) && !hasPending(database)) endRebuild(database);
    const threshold = isBusy ? FOLD_LIMIT : foldAt;
    let isBehind = isFoldDue(threshold);
    if (isBehind) {
      fold();
      isBehind = isFoldDue(threshold);
    }
    return { ...readState(), done: !isBusy && !isBehind };
  });
  const rebuild = database.transaction(() => {
    rebuildIndex(database);
    return readState();
  });
  const removed = database.prepare(`
    SELECT count(document_id) - coalesce((SELECT value FROM search_state WHERE name = 'rebuild-removals'), 0) AS documents,
      count(vector_id) AS vectors, max(id) AS last FROM search_removals`);
  const beginEpoch = database.prepare(`UPDATE search_state SET value = value + 1 WHERE name = 'epoch'`);
  const forgetVectors = database.prepare(`
    DELETE FROM search_removals WHERE id IN
      (SELECT id FROM search_removals WHERE vector_id IS NOT NULL AND id <= ? LIMIT ${FORGOTTEN_AT_ONCE})`);
  const healedAt = database.prepare(`SELECT value FROM search_state WHERE name = 'healed-at'`).pluck();
  const setHealedAt = database.prepare(
    `INSERT INTO search_state VALUES ('healed-at', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const forgetHealed = database.prepare(`DELETE FROM search_state WHERE name = 'healed-at'`);
  const version = database.prepare(`SELECT value FROM search_state WHERE name = 'analysis-version'`).pluck();
  const isOutdated = () => version.get() !== ANALYSIS_VERSION;
  const rebuildOutdated = database.transaction(() => {
    if (isOutdated()) rebuildIndex(database);
  });
  let problem: string | null = null;
  let repairing: Promise<boolean> | null = null;

  /** Returns whether the index was emptied, to be rebuilt. */
  const repairFrom = database.transaction((reason: string): boolean => {
    const now = clock.now();
    const last = healedAt.get() as number | undefined;
    if (last !== undefined && Math.abs(now - last) < REPAIR_AGAIN_MS) {
      problem ??= DAMAGED_AGAIN;
      logger.error({ reason }, 'the search index is damaged again, and stays so');
      return false;
    }
    logger.warn({ reason }, 'The search index is damaged and is being rebuilt');
    rebuildIndex(database);
    setHealedAt.run(now);
    problem = null;
    return true;
  });
  const inspectAndRepair = async (): Promise<boolean> => {
    const pieces = inspectIndex(database);
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value === null || repairFrom.immediate(value);
      await new Promise((resolve) => setImmediate(resolve));
      if (!database.open) return true;
    }
  };
  const step: IndexUpkeep['step'] = async ({ limit = STEP, foldAt = FEW_WAITING } = {}) => {
    try {
      return takeStep.immediate(
        Math.max(1, Math.trunc(limit)),
        Math.min(Math.max(1, Math.trunc(foldAt)), FOLD_LIMIT),
      );
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      const isBegun = repairFrom.immediate(messageOf(error));
      return { ...readState(), done: !isBegun };
    }
  };

  return {
    state: async () => readState(),
    problem: async () => problem,
    step,
    async rebuild() {
      const state = rebuild.immediate();
      forgetHealed.run();
      problem = null;
      return state;
    },
    repair() {
      repairing ??= inspectAndRepair().finally(() => (repairing = null));
      return repairing;
    },
    async compact() {
      if (isRebuilding(database)) return;
      const { documents, vectors, last } = removed.get() as Record<'documents' | 'vectors' | 'last', number>;
      if (documents > FEW_REMOVED && documents > readState().indexed) return void rebuild.immediate();
      if (vectors <= MOST_REMOVED_VECTORS) return;
      // First, so that no reader waits for one of those that go.
      beginEpoch.run();
      while (database.open && forgetVectors.run(last).changes === FORGOTTEN_AT_ONCE)
        await new Promise((resolve) => setImmediate(resolve));
    },
    async bringUpToDate() {
      mergeNothingOnDelete(database);
      if (isOutdated()) rebuildOutdated.immediate();
      repairDocuments(database);
      const { indexed, total } = readState();
      if (total - indexed > AT_OPEN || total === indexed) return;
      while (!(await step()).done);
    },
  };
}
