import { NEUTRAL_PROJECT, toStorableText, uuidV7, type CapturedEvent } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { ProjectRecords } from '../records/projects.js';
import { storableOrNull, storableText } from '../records/storable.js';
import type { IndexWriter } from '@claude-mem/lexical-index';

/**
 * Maximum number of records of a moved session that are indexed in the same transaction. The maintenance indexes the
 * others.
 */
const MAX_INDEXED = 100;

/** The fields of a session that the capture needs. */
export interface OpenSession {
  id: number;
  projectId: number;
  promptCounter: number;
  status: string;
  cwd: string | null;
}

/** Finds, creates and moves sessions when events arrive. The caller holds the transaction. */
export interface SessionWriter {
  /**
   * `isNew`: this call created the session. `isFilled`: this call stored a project or folder that was unknown before.
   */
  ensure(event: CapturedEvent): { session: OpenSession; isNew: boolean; isFilled: boolean };
  /**
   * Records activity. The session becomes active again, unless the event is from before the end of the session and
   * arrived late.
   */
  touch(session: OpenSession, now: number): void;
  beginTurn(session: OpenSession, text: string): number;
  complete(session: OpenSession, now: number): void;
}

interface SessionRow extends OpenSession {
  projectKey: string;
}

export function createSessionWriter(
  database: Database,
  projects: ProjectRecords,
  upkeep: IndexWriter,
): SessionWriter {
  const find = database.prepare(`
    SELECT s.id, s.project_id AS projectId, s.prompt_counter AS promptCounter, s.status, s.cwd,
      p.key AS projectKey
    FROM sdk_sessions s LEFT JOIN projects p ON p.id = s.project_id
    WHERE s.host = ? AND s.content_session_id = ?`);
  const insert = database.prepare(`
    INSERT INTO sdk_sessions
      (uid, host, content_session_id, project_id, cwd, created_at_epoch, last_activity_epoch, holdout_share)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const place = database.prepare('UPDATE sdk_sessions SET project_id = ?, cwd = ? WHERE id = ?');
  const moveObservations = database.prepare('UPDATE observations SET project_id = ? WHERE session_id = ?');
  const moveSummaries = database.prepare('UPDATE session_summaries SET project_id = ? WHERE session_id = ?');
  const reopen = database.prepare(`
    UPDATE sdk_sessions SET status = 'active', completed_at_epoch = NULL
    WHERE id = ? AND coalesce(completed_at_epoch, 0) <= ?`);
  const noteActivity = database.prepare(
    'UPDATE sdk_sessions SET last_activity_epoch = max(last_activity_epoch, ?) WHERE id = ?',
  );
  const beginTurn = database.prepare(
    'UPDATE sdk_sessions SET prompt_counter = ?, user_prompt = coalesce(user_prompt, ?) WHERE id = ?',
  );
  const complete = database.prepare(`
    UPDATE sdk_sessions SET status = 'completed', completed_at_epoch = ?,
      last_activity_epoch = max(last_activity_epoch, ?) WHERE id = ?`);

  /**
   * The location of a session is known when an event contained a folder, even if that folder belongs to the neutral
   * project.
   */
  const isPlaced = (row: SessionRow) => row.projectKey !== NEUTRAL_PROJECT.key || row.cwd !== null;

  return {
    ensure(event) {
      const key = toStorableText(event.contentSessionId);
      const known = find.get(event.host, key) as SessionRow | undefined;
      const folder = event.project ? storableOrNull(event.cwd ?? event.projectDir, TEXT_LIMITS.file) : null;
      const now = event.occurredAtEpoch;
      if (!known) {
        const projectId = projects.ensure(event.project ?? NEUTRAL_PROJECT, now);
        const uid = uuidV7(now);
        const { lastInsertRowid } = insert.run(
          uid,
          event.host,
          key,
          projectId,
          folder,
          now,
          now,
          event.holdoutShare ?? 0,
        );
        const id = Number(lastInsertRowid);
        const session = { id, projectId, promptCounter: 0, status: 'active', cwd: folder };
        return { session, isNew: true, isFilled: false };
      }
      const session: OpenSession = { ...known };
      if (!event.project || isPlaced(known)) return { session, isNew: false, isFilled: false };
      session.projectId = projects.ensure(event.project, now);
      session.cwd = folder;
      const isFilled = session.projectId !== known.projectId || session.cwd !== known.cwd;
      if (isFilled) place.run(session.projectId, session.cwd, session.id);
      if (session.projectId !== known.projectId) {
        moveObservations.run(session.projectId, session.id);
        moveSummaries.run(session.projectId, session.id);
        upkeep.takePending(MAX_INDEXED);
      }
      return { session, isNew: false, isFilled };
    },
    touch(session, now) {
      noteActivity.run(now, session.id);
      if (session.status !== 'active' && reopen.run(session.id, now).changes > 0) session.status = 'active';
    },
    beginTurn(session, text) {
      session.promptCounter += 1;
      beginTurn.run(session.promptCounter, storableText(text, TEXT_LIMITS.sessionPrompt), session.id);
      return session.promptCounter;
    },
    complete(session, now) {
      complete.run(now, now, session.id);
      session.status = 'completed';
    },
  };
}
