import { createHash } from 'node:crypto';
import type { Database } from '../database/driver.js';

/** What was forgotten by hand. Callers hold the transaction. */
export interface ForgottenRecords {
  /** Keeps the hashes of observations that are about to be removed. */
  add(observationIds: readonly number[], now: number): void;
  hasUid(uid: string): boolean;
  hasContent(projectId: number, contentHash: string): boolean;
  /** A person wants it again. */
  lift(record: { uid: string; projectId: number; contentHash: string }): void;
}

export function createForgotten(database: Database): ForgottenRecords {
  const read = database.prepare(`
    SELECT uid, project_id AS projectId, content_hash AS contentHash FROM observations
    WHERE id IN (SELECT value FROM json_each(?))`);
  const insert = database.prepare('INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?, ?)');
  const byUid = database.prepare('SELECT 1 FROM forgotten WHERE uid_hash = ?').pluck();
  const byContent = database
    .prepare('SELECT 1 FROM forgotten WHERE project_id = ? AND content_hash = ? LIMIT 1')
    .pluck();
  const lift = database.prepare(
    'DELETE FROM forgotten WHERE uid_hash = ? OR (project_id = ? AND content_hash = ?)',
  );
  return {
    add(observationIds, now) {
      type Row = { uid: string; projectId: number; contentHash: string };
      for (const { uid, projectId, contentHash } of read.all(JSON.stringify(observationIds)) as Row[])
        insert.run(hashOf(uid), projectId, contentHash, now);
    },
    hasUid: (uid) => byUid.get(hashOf(uid)) !== undefined,
    hasContent: (projectId, contentHash) => byContent.get(projectId, contentHash) !== undefined,
    lift: ({ uid, projectId, contentHash }) => void lift.run(hashOf(uid), projectId, contentHash),
  };
}

/** Ids of observations that are here although they were forgotten, as after rows were taken from an older copy. */
export function findForgotten(database: Database): readonly number[] {
  const hashes = new Set(
    (database.prepare('SELECT hex(uid_hash) FROM forgotten').pluck().all() as string[]).map((hex) =>
      hex.toLowerCase(),
    ),
  );
  if (hashes.size === 0) return [];
  const rows = database.prepare('SELECT id, uid FROM observations').all() as { id: number; uid: string }[];
  return rows.filter(({ uid }) => hashes.has(hashOf(uid).toString('hex'))).map(({ id }) => id);
}

/** Uids of imports are any text, so it is not they that are kept. */
const hashOf = (uid: string) => createHash('sha256').update(uid).digest().subarray(0, 16);
