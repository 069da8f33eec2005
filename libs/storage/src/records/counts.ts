import type { SessionCounts } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

/** Counts the records in sessions and projects. */
export function createCounts(database: Database): {
  ofSessions(ids: readonly number[]): readonly SessionCounts[];
  ofProject(id: number): { prompts: number; summaries: number };
} {
  const count = (table: string, more = '') =>
    `(SELECT count(*) FROM ${table} WHERE session_id = wanted.value${more})`;
  const ofSessions = database.prepare(`SELECT wanted.value AS sessionId, ${count('user_prompts')} AS prompts,
      ${count('observations')} AS observations, ${count('session_summaries')} AS summaries,
      ${count('pending_messages', " AND status <> 'parked'")} AS waiting
    FROM json_each(?) wanted ORDER BY wanted.key`);
  const inProject = (table: string) => `(SELECT count(*) FROM ${table} WHERE project_id = :id)`;
  const ofProject = database.prepare(
    `SELECT ${inProject('user_prompts')} AS prompts, ${inProject('session_summaries')} AS summaries`,
  );
  return {
    ofSessions: (ids) => ofSessions.all(JSON.stringify([...new Set(ids)])) as SessionCounts[],
    ofProject: (id) => ofProject.get({ id }) as { prompts: number; summaries: number },
  };
}
