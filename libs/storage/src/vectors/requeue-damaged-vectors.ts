import type { Database } from '../database/driver.js';

const VECTORS_PER_TRANSACTION = 10_000;

/** Deletes invalid vectors and queues their observations. */
export async function requeueDamagedVectors(database: Database): Promise<void> {
  const last = database
    .prepare(
      `SELECT max(id) FROM (SELECT id FROM vectors WHERE id > ? ORDER BY id LIMIT ${VECTORS_PER_TRANSACTION})`,
    )
    .pluck();
  const find = database
    .prepare(
      `SELECT DISTINCT observation_id FROM vectors
       WHERE id > ? AND id <= ? AND (length(vector) <> dimensions OR NOT (scale > 0 AND scale < 1e300))`,
    )
    .pluck();
  const remove = database.prepare(
    'DELETE FROM vectors WHERE observation_id IN (SELECT value FROM json_each(?))',
  );
  const queue = database.prepare(`
    INSERT OR IGNORE INTO index_outbox (observation_id)
    SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM search_state WHERE name = 'vector-target')`);
  const renew = database.transaction((observations: string) => {
    remove.run(observations);
    queue.run(observations);
  });
  for (let after = 0; database.open;) {
    const end = last.get(after) as number | null;
    if (end === null) return;
    const damaged = find.all(after, end) as number[];
    if (damaged.length > 0) renew.immediate(JSON.stringify(damaged));
    after = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
