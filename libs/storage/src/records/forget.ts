import type { ForgetRequest, ForgetResult } from '@claude-mem/core';
import type { Ledger } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import { markErasable } from './erase-forgotten.js';
import type { ForgetBin } from './forget-bin.js';
import { createForgotten } from './forgotten.js';
import { BEGUN, createToolUseRemoval } from './tool-uses.js';
import type { ObservationRecords } from './observations.js';

export interface ForgetParts {
  database: Database;
  observations: ObservationRecords;
  ledger: Ledger;
  bin: Pick<ForgetBin, 'take' | 'noteRemoval'>;
}

interface SessionState {
  id: number;
  uid: string;
  isEmpty: number;
}

/** Deletes records permanently or into the bin. The caller holds the transaction. */
export function createForget({ database, observations, ledger, bin }: ForgetParts) {
  const inList = 'IN (SELECT value FROM json_each(?))';
  const ids = (sql: string) => database.prepare(sql).pluck();
  const known = ids(`SELECT id FROM observations WHERE id ${inList}`);
  const ofProjects = ids(`SELECT id FROM observations WHERE project_id ${inList}`);
  const ofSessions = ids(`SELECT id FROM observations WHERE session_id ${inList}`);
  const sessionsOfProjects = ids(`SELECT id FROM sdk_sessions WHERE project_id ${inList}`);
  const sessionStates = database.prepare(`
    SELECT id, uid, coalesce(title, user_prompt, memory_session_id) IS NULL
      AND NOT EXISTS (SELECT 1 FROM user_prompts WHERE session_id = s.id)
      AND NOT EXISTS (SELECT 1 FROM session_summaries WHERE session_id = s.id)
      AND NOT EXISTS (SELECT 1 FROM pending_messages WHERE session_id = s.id)
      AND NOT EXISTS (SELECT 1 FROM session_tool_uses WHERE session_id = s.id AND tool <> '${BEGUN}') AS isEmpty
    FROM sdk_sessions s WHERE id ${inList}`);
  const count = (table: string) => ids(`SELECT count(*) FROM ${table} WHERE session_id ${inList}`);
  const countSummaries = count('session_summaries');
  const countPrompts = count('user_prompts');
  const removeSummaries = database.prepare(`DELETE FROM session_summaries WHERE session_id ${inList}`);
  const removePrompts = database.prepare(`DELETE FROM user_prompts WHERE session_id ${inList}`);
  const removeMessages = database.prepare(
    `DELETE FROM pending_messages WHERE session_id ${inList} RETURNING session_id AS sessionId, dedupe_key AS dedupeKey`,
  );
  const sessionsOf = ids(`SELECT DISTINCT session_id FROM observations WHERE id ${inList}`);
  const dropConversations = database.prepare(
    `UPDATE sdk_sessions SET memory_session_id = NULL WHERE id ${inList}`,
  );
  const blankSessions = database.prepare(
    `UPDATE sdk_sessions SET title = NULL, user_prompt = NULL WHERE id ${inList}`,
  );
  const forgotten = createForgotten(database);
  const removeToolUses = createToolUseRemoval(database);

  /** Returns false for a session without records that was deleted before. Its row exists until a new event uses it. */
  const hasAnything = ({ id, uid, isEmpty }: SessionState, ofObservations: ReadonlySet<number>) =>
    isEmpty === 0 || ofObservations.has(id) || !forgotten.hasUid(uid);

  return (request: ForgetRequest): ForgetResult => {
    const projects = JSON.stringify(request.projectIds ?? []);
    const observationIds = [
      ...new Set([
        ...(known.all(JSON.stringify(request.ids ?? [])) as number[]),
        ...(ofProjects.all(projects) as number[]),
        ...(ofSessions.all(JSON.stringify(request.sessionIds ?? [])) as number[]),
      ]),
    ];
    const ofObservations = new Set(sessionsOf.all(JSON.stringify(observationIds)) as number[]);
    const wanted = new Set([
      ...(request.sessionIds ?? []),
      ...(sessionsOfProjects.all(projects) as number[]),
    ]);
    const sessionIds = (sessionStates.all(JSON.stringify([...wanted])) as SessionState[])
      .filter((session) => hasAnything(session, ofObservations))
      .map(({ id }) => id);
    const sessions = JSON.stringify(sessionIds);
    const observedSessionIds = [...new Set([...sessionIds, ...ofObservations])];
    const result: ForgetResult = {
      observations: observationIds.length,
      summaries: countSummaries.get(sessions) as number,
      prompts: countPrompts.get(sessions) as number,
      sessions: sessionIds.length,
      observationIds,
      sessionIds,
      observedSessionIds,
      forgetId: null,
    };
    if (request.dryRun || observationIds.length + sessionIds.length === 0) return result;
    const { undoUntil: finalAt, addTo } = request;
    const now = Math.trunc(request.now);
    const forgetId =
      finalAt === undefined ? null : bin.take({ observationIds, sessionIds }, { now, finalAt, addTo });
    if (forgetId === null) {
      markErasable(database);
      bin.noteRemoval({ observationIds });
    }
    forgotten.add({ observationIds, sessionIds }, now);
    observations.remove(observationIds);
    removeSummaries.run(sessions);
    removePrompts.run(sessions);
    // The ledger keeps the events, so that none of them is stored again.
    for (const { sessionId, dedupeKey } of removeMessages.all(sessions) as {
      sessionId: number;
      dedupeKey: string;
    }[])
      ledger.end(sessionId, dedupeKey, 'dropped', 'forgotten');
    removeToolUses(sessionIds);
    blankSessions.run(sessions);
    dropConversations.run(JSON.stringify(observedSessionIds));
    return { ...result, forgetId };
  };
}
