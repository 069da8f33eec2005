import { toStorableText, type Injection, type RecordedInjection } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

const MAX_LISTED = 500;

/** Stores an injection in the current turn of its session. The caller holds the transaction. */
export function createInjectionWriter(database: Database): (injection: RecordedInjection) => void {
  const insert = database.prepare(`
    INSERT INTO injections (session_id, prompt_number, kind, tokens, observation_ids, conversations, created_at_epoch)
    SELECT id, prompt_counter, :kind, :tokens, :observationIds, :conversations, :now
    FROM sdk_sessions WHERE host = :host AND content_session_id = :contentSessionId`);
  return ({ session, kind, tokens, observationIds, conversations, now }) =>
    void insert.run({
      host: session.host,
      contentSessionId: toStorableText(session.contentSessionId),
      kind,
      tokens,
      observationIds: JSON.stringify(observationIds),
      conversations,
      now: Math.trunc(now),
    });
}

/** Lists the injections of a session, oldest first. */
export function createInjectionReader(database: Database): (sessionId: number) => readonly Injection[] {
  const list = database.prepare(`
    SELECT id, prompt_number AS promptNumber, kind, tokens, observation_ids AS observationIds, conversations,
      created_at_epoch AS createdAtEpoch
    FROM injections WHERE session_id = ? ORDER BY id LIMIT ${MAX_LISTED}`);
  return (sessionId) =>
    (list.all(sessionId) as (Omit<Injection, 'observationIds'> & { observationIds: string })[]).map(
      (row) => ({
        ...row,
        observationIds: JSON.parse(row.observationIds) as number[],
      }),
    );
}
