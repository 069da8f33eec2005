import type { CurrentConversation, Observation } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from './observations.js';

/** Maximum length of a chain of superseded records that is followed. */
const MAX_STEPS = 20;

/** Returns the current record of sessions with a conversation record. */
export function createCurrentConversations(
  database: Database,
  observations: ObservationRecords,
): (sessionIds: readonly number[]) => readonly CurrentConversation[] {
  const findWritten = database.prepare(`
    SELECT id AS sessionId, conversation_record_id AS recordId FROM sdk_sessions
    WHERE id IN (SELECT value FROM json_each(?)) AND conversation_record_id IS NOT NULL`);
  const findHash = database
    .prepare('SELECT conversation_record_hash FROM sdk_sessions WHERE id = ? AND conversation_record_id = ?')
    .pluck();

  const lastOf = (id: number): Observation | null => {
    let [record] = observations.byIds([id]);
    for (let step = 0; step < MAX_STEPS && record !== undefined && record.supersededBy !== null; step += 1)
      [record] = observations.byIds([record.supersededBy]);
    return record ?? null;
  };

  return (sessionIds) =>
    (findWritten.all(JSON.stringify(sessionIds)) as { sessionId: number; recordId: number }[]).map(
      ({ sessionId, recordId }) => {
        const record = lastOf(recordId);
        const hash = record === null ? undefined : findHash.get(record.sessionId, record.id);
        return { sessionId, record, isUnchanged: record !== null && hash === record.contentHash };
      },
    );
}
