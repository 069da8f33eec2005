import type { VectorOutbox } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { ObservationRecords } from '../records/observations.js';
import { storableText } from '../records/storable.js';

/** Number of vectors per transaction when a complete model is deleted. */
const REMOVED_PER_STEP = 2_000;
/** Number of newest ids among which deleted observations are searched. */
const MAX_IDS = 2_000_000;

interface EntryRow {
  id: number;
  observationId: number;
  attempts: number;
}

/** Triggers fill the outbox, so that it contains every change of an observation. */
export function createVectorOutbox(database: Database, observations: ObservationRecords): VectorOutbox {
  const target = database.prepare(`SELECT value FROM search_state WHERE name = 'vector-target'`).pluck();
  const setTarget = database.prepare(
    `INSERT INTO search_state VALUES ('vector-target', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const clearOutbox = database.prepare('DELETE FROM index_outbox');
  const queueAll = database.prepare(
    'INSERT INTO index_outbox (observation_id) SELECT id FROM observations ORDER BY id',
  );
  // A limit, because the ids in a modified file may have any size.
  const queueRemoved = database.prepare(`
    INSERT INTO index_outbox (observation_id)
    WITH RECURSIVE ids (id) AS (
      SELECT seq FROM sqlite_sequence WHERE name = 'observations' AND seq > 0
      UNION ALL SELECT id - 1 FROM ids WHERE id > 1 LIMIT ${MAX_IDS}
    )
    SELECT id FROM ids WHERE id NOT IN (SELECT id FROM observations)`);
  const waiting = database.prepare('SELECT count(*) FROM index_outbox').pluck();
  const counts = database.prepare(`
    SELECT count(*) AS waiting, coalesce(sum(attempts > 0), 0) AS failed, min(available_at_epoch) AS nextAvailableAt
    FROM index_outbox`);
  const due = database.prepare(`
    SELECT id, observation_id AS observationId, attempts FROM index_outbox
    WHERE available_at_epoch <= ? ORDER BY id DESC LIMIT ?`);
  const inList = 'IN (SELECT value FROM json_each(?))';
  const complete = database.prepare(`DELETE FROM index_outbox WHERE id ${inList}`);
  const postpone = database.prepare(`
    UPDATE index_outbox SET attempts = attempts + 1, available_at_epoch = ?, last_error = ? WHERE id ${inList}`);
  const dropVector = database.prepare('DELETE FROM vectors WHERE model = ? AND document_id = ?');
  const addVector = database.prepare(`
    INSERT INTO vectors (document_id, observation_id, model, dimensions, scale, content_hash, created_at_epoch, vector)
    SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM observations WHERE id = ?)`);
  // The plus sign prevents the index over models, which would read all vectors of a model.
  const hashes = database.prepare(`
    SELECT document_id AS documentId, observation_id AS observationId, content_hash AS contentHash FROM vectors
    WHERE observation_id ${inList} AND +model = ? ORDER BY id`);
  const removeOf = (column: string) => database.prepare(`DELETE FROM vectors WHERE ${column} ${inList}`);
  const removeByObservation = removeOf('observation_id');
  const removeByDocument = removeOf('document_id');
  const removeSome = (condition: string) =>
    database.prepare(
      `DELETE FROM vectors WHERE id IN (SELECT id FROM vectors WHERE ${condition} LIMIT ${REMOVED_PER_STEP})`,
    );
  const removeOthers = removeSome('model <> ?');
  const removeAny = removeSome('1');

  const useTarget = database.transaction((name: string, withRemoved: boolean) => {
    if (target.get() !== name) {
      setTarget.run(name);
      clearOutbox.run();
      if (withRemoved) queueRemoved.run();
      queueAll.run();
    }
    return { waiting: waiting.get() as number };
  });

  let kept: [name: string, withRemoved: boolean] | null = null;
  /** Derived tables may be restored during use, and then no longer contain the current index. */
  const keepTarget = () => {
    if (kept !== null && target.get() === undefined) useTarget.immediate(...kept);
  };

  // A rewritten vector gets a new id, by which readers detect the change.
  const put = database.transaction(({ model, rows, now }: Parameters<VectorOutbox['putVectors']>[0]) => {
    for (const { documentId, observationId, dimensions, scale, contentHash, vector } of rows) {
      dropVector.run(model, documentId);
      const values = [dimensions, scale, contentHash, Math.trunc(now), vector];
      addVector.run(documentId, observationId, model, ...values, observationId);
    }
  });

  const removeAll = async (statement: typeof removeAny, ...values: readonly string[]) => {
    let removed = 0;
    for (;;) {
      const { changes } = statement.run(...values);
      removed += changes;
      if (changes < REMOVED_PER_STEP) return removed;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    async useTarget(name, { withRemoved = false } = {}) {
      kept = [storableText(name, TEXT_LIMITS.reason), withRemoved];
      return useTarget.immediate(...kept);
    },
    async next({ limit, now }) {
      keepTarget();
      const rows = due.all(now, Math.max(0, Math.trunc(limit))) as EntryRow[];
      const found = new Map(
        observations.byIds(rows.map(({ observationId }) => observationId)).map((one) => [one.id, one]),
      );
      return rows.map((row) => ({ ...row, observation: found.get(row.observationId) ?? null }));
    },
    complete: async (ids) => void complete.run(JSON.stringify(ids)),
    postpone: async ({ ids, availableAt, error }) =>
      void postpone.run(
        Math.trunc(availableAt),
        storableText(error, TEXT_LIMITS.lastError),
        JSON.stringify(ids),
      ),
    counts: async () => counts.get() as Awaited<ReturnType<VectorOutbox['counts']>>,
    putVectors: async (request) => put.immediate(request),
    vectorHashes: async ({ model, observationIds }) =>
      hashes.all(JSON.stringify(observationIds), model) as Awaited<ReturnType<VectorOutbox['vectorHashes']>>,
    async removeVectors({ observationIds, documentIds, otherThanModel, all }) {
      let removed = 0;
      if (observationIds) removed += removeByObservation.run(JSON.stringify(observationIds)).changes;
      if (documentIds) removed += removeByDocument.run(JSON.stringify(documentIds)).changes;
      if (otherThanModel !== undefined) removed += await removeAll(removeOthers, otherThanModel);
      if (all) removed += await removeAll(removeAny);
      return removed;
    },
  };
}
