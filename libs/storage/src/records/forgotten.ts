import { createHash } from 'node:crypto';
import type { Database } from '../database/driver.js';

/** Hashes of deleted observations and sessions. The caller holds the transaction. */
export interface ForgottenRecords {
  /** Stores the hashes of records before they are removed. */
  add(records: { observationIds: readonly number[]; sessionIds: readonly number[] }, now: number): void;
  hasUid(uid: string): boolean;
  hasContent(projectId: number, contentHash: string): boolean;
  /** Removes the hashes, because the user saves the record again. */
  removeHashes(record: { uid: string; projectId: number; contentHash: string }): void;
  /** Removes the hashes after an undo. */
  removeUidHashes(uids: readonly string[]): void;
}

/** Only observations are also recognized by their content. */
const NO_CONTENT = '';

export function createForgotten(database: Database): ForgottenRecords {
  const observations = database.prepare(`
    SELECT uid, project_id AS projectId, content_hash AS contentHash FROM observations
    WHERE id IN (SELECT value FROM json_each(?))`);
  const partsOfSessions = database.prepare(`
    WITH forgotten_sessions AS (SELECT id, uid, project_id FROM sdk_sessions WHERE id IN (SELECT value FROM json_each(?)))
    SELECT uid, project_id AS projectId FROM forgotten_sessions
    UNION ALL SELECT s.uid, f.project_id FROM session_summaries s JOIN forgotten_sessions f ON f.id = s.session_id
    UNION ALL SELECT p.uid, f.project_id FROM user_prompts p JOIN forgotten_sessions f ON f.id = p.session_id`);
  const insert = database.prepare('INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?, ?)');
  const byUid = database.prepare('SELECT 1 FROM forgotten WHERE uid_hash = ?').pluck();
  const byContent = database
    .prepare('SELECT 1 FROM forgotten WHERE project_id = ? AND content_hash = ? LIMIT 1')
    .pluck();
  const removeHashes = database.prepare(
    'DELETE FROM forgotten WHERE uid_hash = ? OR (project_id = ? AND content_hash = ?)',
  );
  const removeUidHash = database.prepare('DELETE FROM forgotten WHERE uid_hash = ?');
  return {
    add({ observationIds, sessionIds }, now) {
      type Row = { uid: string; projectId: number; contentHash?: string };
      const rows = [
        ...(observations.all(JSON.stringify(observationIds)) as Row[]),
        ...(partsOfSessions.all(JSON.stringify(sessionIds)) as Row[]),
      ];
      for (const { uid, projectId, contentHash = NO_CONTENT } of rows)
        insert.run(hashOf(uid), projectId, contentHash, now);
    },
    hasUid: (uid) => byUid.get(hashOf(uid)) !== undefined,
    hasContent: (projectId, contentHash) => byContent.get(projectId, contentHash) !== undefined,
    removeHashes: ({ uid, projectId, contentHash }) =>
      void removeHashes.run(hashOf(uid), projectId, contentHash),
    removeUidHashes(uids) {
      for (const uid of uids) removeUidHash.run(hashOf(uid));
    },
  };
}

/** Returns the ids of existing rows that were forgotten, for example after rows were restored from a backup. */
export function findForgotten(database: Database, table: string): readonly number[] {
  const hashes = new Set(
    (database.prepare('SELECT hex(uid_hash) FROM forgotten').pluck().all() as string[]).map((hex) =>
      hex.toLowerCase(),
    ),
  );
  if (hashes.size === 0) return [];
  const rows = database.prepare(`SELECT id, uid FROM ${table}`).all() as { id: number; uid: string }[];
  return rows.filter(({ uid }) => hashes.has(hashOf(uid).toString('hex'))).map(({ id }) => id);
}

/** The uid of an import can be any text, so it is not stored. */
const hashOf = (uid: string) => createHash('sha256').update(uid).digest().subarray(0, 16);
