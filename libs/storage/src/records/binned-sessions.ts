import type { Database } from '../database/driver.js';
import type { ForgottenRecords } from './forgotten.js';
import { BEGUN } from './tool-uses.js';

/** Deletes and restores the texts and tool uses of sessions. The caller holds the transaction. */
export interface BinnedSessions {
  take(binId: number, sessionIds: readonly number[]): void;
  /** Restores the tool uses in rows of a bin. Returns the ids of their sessions. */
  restoreToolUses(rows: string): number[];
  /**
   * Restores the texts in rows of a bin. Must be called after their prompts are restored. Returns the ids of the
   * sessions.
   */
  restoreTexts(binId: number, rows: string): number[];
}

interface BinnedSession {
  id: number;
  uid: string;
  title: string | null;
  userPrompt: string | null;
  /** Id of the first prompt before the deletion. */
  promptId: number | null;
  /** The session had been forgotten before, and stays forgotten for rows that a backup restores. */
  wasForgotten: number;
}

export function createBinnedSessions(database: Database, forgotten: ForgottenRecords): BinnedSessions {
  const find = database.prepare(`
    SELECT id, uid, title, user_prompt AS userPrompt, (SELECT min(p.id) FROM user_prompts p WHERE p.session_id = s.id) AS promptId
    FROM sdk_sessions s WHERE id IN (SELECT value FROM json_each(?))`);
  const put = database.prepare(`
    INSERT INTO forget_bin_rows (bin_id, kind, record_id, data)
    VALUES (:binId, 'sdk_sessions', :id,
      json_object('title', :title, 'userPrompt', :userPrompt, 'promptId', :promptId, 'wasForgotten', :wasForgotten))`);
  const takeToolUses = database.prepare(`
    INSERT INTO forget_bin_rows (bin_id, kind, record_id, data)
    SELECT ?, 'session_tool_uses', session_id, json_object('tool', tool, 'uses', uses, 'failed', failed)
    FROM session_tool_uses WHERE tool <> '${BEGUN}' AND session_id IN (SELECT value FROM json_each(?))`);
  const restoreToolUses = database
    .prepare(
      `
    INSERT INTO session_tool_uses (session_id, tool, uses, failed)
    SELECT record_id, data ->> '$.tool', data ->> '$.uses', data ->> '$.failed' FROM forget_bin_rows
    WHERE id IN (SELECT value FROM json_each(?))
    ON CONFLICT (session_id, tool) DO UPDATE SET uses = uses + excluded.uses, failed = failed + excluded.failed
    RETURNING session_id`,
    )
    .pluck();
  const taken = database.prepare(`
    SELECT s.id, s.uid, row.data ->> '$.title' AS title, row.data ->> '$.userPrompt' AS userPrompt,
      row.data ->> '$.promptId' AS promptId, row.data ->> '$.wasForgotten' AS wasForgotten
    FROM forget_bin_rows row JOIN sdk_sessions s ON s.id = row.record_id
    WHERE row.id IN (SELECT value FROM json_each(?)) ORDER BY s.id`);
  const otherBin = database
    .prepare(
      `SELECT id FROM forget_bin_rows WHERE kind = 'sdk_sessions' AND record_id = ? AND bin_id <> ? ORDER BY bin_id LIMIT 1`,
    )
    .pluck();
  const setNotForgotten = database.prepare(
    `UPDATE forget_bin_rows SET data = json_set(data, '$.wasForgotten', 0) WHERE id = ?`,
  );
  const firstPrompt = database.prepare('SELECT min(id) FROM user_prompts WHERE session_id = ?').pluck();
  const restore = database.prepare(`
    UPDATE sdk_sessions SET
      title = iif(title IS NULL OR :isBeginning, coalesce(:title, title), title),
      user_prompt = iif(user_prompt IS NULL OR :isBeginning, coalesce(:userPrompt, user_prompt), user_prompt)
    WHERE id = :id`);

  return {
    take(binId, sessionIds) {
      takeToolUses.run(binId, JSON.stringify(sessionIds));
      for (const session of find.all(JSON.stringify(sessionIds)) as Omit<BinnedSession, 'wasForgotten'>[]) {
        const { uid, ...kept } = session;
        put.run({ binId, ...kept, wasForgotten: Number(forgotten.hasUid(uid)) });
      }
    },
    restoreToolUses: (rows) => restoreToolUses.all(rows) as number[],
    restoreTexts(binId, rows) {
      const sessions = taken.all(rows) as BinnedSession[];
      for (const { id, uid, title, userPrompt, promptId, wasForgotten } of sessions) {
        const isBeginning = Number(promptId !== null && promptId === firstPrompt.get(id));
        restore.run({ id, title, userPrompt, isBeginning });
        if (wasForgotten === 1) continue;
        const other = otherBin.get(id, binId);
        if (other === undefined) forgotten.removeUidHashes([uid]);
        else setNotForgotten.run(other);
      }
      return sessions.map(({ id }) => id);
    },
  };
}
