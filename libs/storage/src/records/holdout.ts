import { toStorableText, type HoldoutSession } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

const MAX_SESSIONS = 5_000;

/** Reads the holdout share of sessions, and the counts of the sessions that began while it was on. */
export function createHoldoutReader(database: Database): {
  share(key: { host: string; contentSessionId: string }): number | null;
  sessions(filter: { projectIds?: readonly number[]; fromEpoch?: number }): readonly HoldoutSession[];
} {
  const shareOf = database
    .prepare('SELECT holdout_share FROM sdk_sessions WHERE host = ? AND content_session_id = ?')
    .pluck();
  // A file that several records of a turn name is counted once per turn.
  const list = database.prepare(`
    SELECT id AS sessionId, host, content_session_id AS contentSessionId, cwd, holdout_share AS share, prompt_counter AS turns,
      EXISTS (SELECT 1 FROM injections i WHERE i.session_id = s.id) AS hasInjections,
      (SELECT coalesce(sum(turns - 1), 0) FROM (
        SELECT count(DISTINCT prompt_number) AS turns FROM (
          SELECT prompt_number, files_read FROM observations WHERE session_id = s.id
          UNION ALL SELECT prompt_number, files_read FROM session_summaries WHERE session_id = s.id
        ), json_each(files_read) AS file GROUP BY file.value)) AS repeatedReads
    FROM sdk_sessions s
    WHERE holdout_share > 0 AND status <> 'active' AND created_at_epoch >= :fromEpoch
      AND (:projectIds IS NULL OR project_id IN (SELECT value FROM json_each(:projectIds)))
      AND EXISTS (SELECT 1 FROM user_prompts p WHERE p.session_id = s.id)
    ORDER BY created_at_epoch DESC, id DESC LIMIT ${MAX_SESSIONS}`);
  return {
    share: ({ host, contentSessionId }) =>
      (shareOf.get(host, toStorableText(contentSessionId)) as number | undefined) ?? null,
    sessions: ({ projectIds, fromEpoch = 0 }) =>
      (
        list.all({
          fromEpoch,
          projectIds: projectIds === undefined ? null : JSON.stringify(projectIds),
        }) as (Omit<HoldoutSession, 'hasInjections'> & { hasInjections: number })[]
      ).map((row) => ({ ...row, hasInjections: row.hasInjections === 1 })),
  };
}
