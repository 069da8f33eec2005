import { ANALYSIS_VERSION } from '@claude-mem/analysis';
import { messageOf, type Clock, type Logger } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { KIND_NUMBERS } from '../search-tables.js';
import { isIndexDamage } from '../storage-error.js';
import { FOLD_BYTES, FOLD_LIMIT, createFolder } from './fold-documents.js';
import { inspectIndex } from './inspect-index.js';
import { endRebuild, hasPending, repairDocuments, rebuildIndex } from './rebuild-index.js';
import type { IndexedRecord, SearchWriter } from './search-writer.js';
import type { TermRegister } from './term-register.js';

export interface IndexState {
  /** Records that can be found by their words, and records there are. */
  indexed: number;
  total: number;
}

/** Keeps the index of words whole: fills in what it lacks, and puts what is new where it is read fastest. */
export interface SearchIndex {
  state(): Promise<IndexState>;
  /**
   * A bounded piece of the work that waits, newest records first; to be called in quiet moments. Resolves to how far it is:
   * `done` when nothing waits any more.
   */
  step(options?: {
    /** Records at most; fewer when they are long. @default 500 */
    limit?: number;
    /** Moves new documents into the postings when so many wait; until then readers hold them in memory. @default 512 */
    foldAt?: number;
  }): Promise<IndexState & { done: boolean }>;
  /** Begins anew: until `step` is done, words find only what was indexed again. */
  rebuild(): Promise<IndexState>;
  /**
   * Looks through all of the index, after a reader found damage or because it is time, and begins it anew when something is wrong;
   * not twice in a day. False when it is damaged and stays so.
   */
  heal(): Promise<boolean>;
  /** What is wrong with the index and does not mend by itself, for a person; null when nothing is. */
  problem(): Promise<string | null>;
  /** Lets go of what removed records left behind, when it is much: begins anew when it is more than what there is. */
  tidy(): Promise<void>;
}

/** Reads records that wait, for the index. What cannot be read is left out. */
export type PendingRecords = Record<
  keyof typeof KIND_NUMBERS,
  (ids: readonly number[]) => readonly IndexedRecord[]
>;

/** The work itself; what writes expects the caller's transaction. */
export interface IndexUpkeep {
  isOutdated(): boolean;
  state(): IndexState;
  /** True from a new beginning until everything was indexed again. */
  isRebuilding(): boolean;
  /** Indexes records that wait, fewer than the limit when they are long. Returns whether others may still wait. */
  takePending(limit: number): boolean;
  /** Folds some when at least so many documents wait, or fewer that are long. Returns whether it has to be done again. */
  fold(threshold: number): boolean;
}

/** Records that are read together. */
const TAKEN_AT_ONCE = 8;
/** So few documents that are no more are not worth a new beginning. */
const FEW_REMOVED = 5_000;
/** Vectors that are no more, of which readers are told one by one. */
const MOST_REMOVED_VECTORS = 200_000;
const FORGOTTEN_AT_ONCE = 10_000;
/** What is missing when a database is opened is filled in at once up to this. */
const AT_OPEN = 500;
const STEP = 500;
/** What a step indexes at most, by the bytes of its terms. */
const STEP_BYTES = 512 * 1024;
/** So many waiting documents readers may hold in memory, where more are not on their way. */
const FEW_WAITING = 512;
const BYTES_PER_WAITING = FOLD_BYTES / FOLD_LIMIT;

export function createIndexUpkeep(
  database: Database,
  writer: SearchWriter,
  records: PendingRecords,
  register: TermRegister,
): IndexUpkeep {
  const version = database.prepare(`SELECT value FROM search_state WHERE name = 'analysis-version'`).pluck();
  const state =
    database.prepare(`SELECT max(value, 0) AS indexed, max(value, 0) + (SELECT count(*) FROM search_pending) AS total
    FROM search_state WHERE name = 'documents'`);
  const pending = database
    .prepare('SELECT record_id FROM search_pending WHERE kind = ? ORDER BY record_id DESC LIMIT ?')
    .pluck();
  const taken = database.prepare(
    'DELETE FROM search_pending WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))',
  );
  const forget = database.prepare(
    'DELETE FROM search_documents WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))',
  );
  const rebuilding = database.prepare(`SELECT 1 FROM search_state WHERE name = 'rebuilding'`).pluck();
  const isRebuilding = () => rebuilding.get() === 1;
  // Of a new beginning the count is of what was indexed again.
  const countAgain = database.prepare(`UPDATE search_state SET value = value + ? WHERE name = 'documents'`);
  const waiting = database.prepare(
    'SELECT count(*) AS documents, coalesce(sum(length(terms)), 0) AS bytes FROM search_unfolded',
  );
  const isDue = (threshold: number) => {
    const { documents, bytes } = waiting.get() as Record<'documents' | 'bytes', number>;
    return documents >= threshold || bytes >= threshold * BYTES_PER_WAITING;
  };
  const fold = createFolder(database, register);

  return {
    isOutdated: () => version.get() !== ANALYSIS_VERSION,
    state: () => state.get() as IndexState,
    isRebuilding,
    takePending(limit) {
      let left = limit;
      let bytes = 0;
      for (const [kind, number] of Object.entries(KIND_NUMBERS) as [keyof typeof KIND_NUMBERS, number][]) {
        while (left > 0 && bytes < STEP_BYTES) {
          const ids = pending.all(number, Math.min(left, TAKEN_AT_ONCE)) as number[];
          if (ids.length === 0) break;
          const list = JSON.stringify(ids);
          const { changes } = forget.run(number, list);
          if (changes > 0 && isRebuilding()) countAgain.run(changes);
          bytes += writer.add(records[kind](ids));
          taken.run(number, list);
          left -= ids.length;
        }
      }
      return left === 0 || bytes >= STEP_BYTES;
    },
    fold(threshold) {
      if (!isDue(threshold)) return false;
      fold();
      return isDue(threshold);
    },
  };
}

export function createSearchIndex(
  database: Database,
  upkeep: IndexUpkeep,
  { clock, logger }: { clock: Clock; logger: Logger },
): SearchIndex {
  const step = database.transaction((limit: number, foldAt: number) => {
    const isBusy = upkeep.takePending(limit);
    if (upkeep.isRebuilding() && !hasPending(database)) endRebuild(database);
    const isBehind = upkeep.fold(isBusy ? FOLD_LIMIT : foldAt);
    return { ...upkeep.state(), done: !isBusy && !isBehind };
  });
  const rebuild = database.transaction(() => {
    rebuildIndex(database);
    return upkeep.state();
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
  let problem: string | null = null;
  let healing: Promise<boolean> | null = null;

  /** Returns whether it was begun anew. */
  const healFrom = database.transaction((reason: string): boolean => {
    const now = clock.now();
    const last = healedAt.get() as number | undefined;
    if (last !== undefined && Math.abs(now - last) < HEAL_AGAIN_MS) {
      problem ??= AGAIN_DAMAGED;
      logger.error({ reason }, 'the search index is damaged again, and stays so');
      return false;
    }
    logger.warn({ reason }, 'the search index is damaged and is built anew');
    rebuildIndex(database);
    setHealedAt.run(now);
    problem = null;
    return true;
  });
  const inspectAndHeal = async (): Promise<boolean> => {
    const pieces = inspectIndex(database);
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value === null || healFrom.immediate(value);
      await new Promise((resolve) => setImmediate(resolve));
      if (!database.open) return true;
    }
  };

  return {
    state: async () => upkeep.state(),
    problem: async () => problem,
    async step({ limit = STEP, foldAt = FEW_WAITING } = {}) {
      try {
        return step.immediate(
          Math.max(1, Math.trunc(limit)),
          Math.min(Math.max(1, Math.trunc(foldAt)), FOLD_LIMIT),
        );
      } catch (error) {
        if (!isIndexDamage(error)) throw error;
        const isBegun = healFrom.immediate(messageOf(error));
        return { ...upkeep.state(), done: !isBegun };
      }
    },
    async rebuild() {
      const state = rebuild.immediate();
      forgetHealed.run();
      problem = null;
      return state;
    },
    heal() {
      healing ??= inspectAndHeal().finally(() => (healing = null));
      return healing;
    },
    async tidy() {
      if (upkeep.isRebuilding()) return;
      const { documents, vectors, last } = removed.get() as Record<'documents' | 'vectors' | 'last', number>;
      if (documents > FEW_REMOVED && documents > upkeep.state().indexed) return void rebuild.immediate();
      if (vectors <= MOST_REMOVED_VECTORS) return;
      // First, so that no reader waits for one of those that go.
      beginEpoch.run();
      while (database.open && forgetVectors.run(last).changes === FORGOTTEN_AT_ONCE)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** How long an index must have been good before it is begun anew by itself once more. */
const HEAL_AGAIN_MS = 24 * 60 * 60 * 1_000;
const AGAIN_DAMAGED =
  'The index of words is damaged again after it was built anew by itself. Run: claude-mem reindex --words. If it happens once more, look at the disk.';

/** Fills in what is missing when the database is opened: all of a little, else a beginning is made in later steps. */
export async function bringIndexUpToDate(
  database: Database,
  upkeep: IndexUpkeep,
  index: SearchIndex,
): Promise<void> {
  const startOver = database.transaction(() => {
    if (upkeep.isOutdated()) rebuildIndex(database);
  });
  if (upkeep.isOutdated()) startOver.immediate();
  repairDocuments(database);
  const { indexed, total } = upkeep.state();
  if (total - indexed > AT_OPEN || total === indexed) return;
  while (!(await index.step()).done);
}
