import type { SummarizePayload, ToolUsePayload } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

/** Adds messages to the queue. The caller holds the transaction and updates the ledger. */
export interface MessageWriter {
  add(message: {
    sessionId: number;
    promptNumber: number;
    dedupeKey: string;
    now: number;
    kind: 'observation' | 'summarize';
    payload: ToolUsePayload | SummarizePayload;
    /** @default false */
    isEvidence?: boolean;
  }): void;
  /** Returns turns up to `upTo` that have queued tool uses and no queued or stored end. */
  openTurns(sessionId: number, upTo: number): readonly number[];
  /** Returns whether the turn has queued tool uses that are newer than its latest queued end. */
  hasOpenWork(sessionId: number, promptNumber: number): boolean;
  /** Removes the assumed end of a turn if it is still queued. Returns its deduplication key. */
  withdrawAssumedEnd(sessionId: number, promptNumber: number): string | null;
}

export function createMessageWriter(database: Database): MessageWriter {
  const add = database.prepare(`
    INSERT INTO pending_messages
      (session_id, kind, prompt_number, dedupe_key, bytes, created_at_epoch, available_at_epoch, payload,
        is_evidence)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const openTurns = database
    .prepare(
      `SELECT prompt_number FROM pending_messages m WHERE session_id = :sessionId AND prompt_number <= :upTo
       GROUP BY prompt_number
       HAVING max(kind = 'summarize') = 0 AND NOT EXISTS (
         SELECT 1 FROM session_summaries s WHERE s.session_id = :sessionId AND s.prompt_number = m.prompt_number)
       ORDER BY prompt_number`,
    )
    .pluck();
  const openWork = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM pending_messages
         WHERE session_id = :sessionId AND prompt_number = :promptNumber AND kind = 'observation' AND id > coalesce(
           (SELECT max(id) FROM pending_messages
            WHERE session_id = :sessionId AND prompt_number = :promptNumber AND kind = 'summarize'), 0))`,
    )
    .pluck();
  const withdraw = database
    .prepare(
      `DELETE FROM pending_messages WHERE id = (
         SELECT id FROM pending_messages
         WHERE session_id = ? AND prompt_number = ? AND kind = 'summarize' AND status = 'pending'
           AND payload ->> '$.reason' = 'interrupted' LIMIT 1)
       RETURNING dedupe_key`,
    )
    .pluck();

  return {
    add({ sessionId, kind, promptNumber, dedupeKey, now, payload, isEvidence = false }) {
      const json = JSON.stringify(payload);
      const bytes = Buffer.byteLength(json);
      add.run(sessionId, kind, promptNumber, dedupeKey, bytes, now, now, json, Number(isEvidence));
    },
    openTurns: (sessionId, upTo) => openTurns.all({ sessionId, upTo }) as number[],
    hasOpenWork: (sessionId, promptNumber) => openWork.get({ sessionId, promptNumber }) === 1,
    withdrawAssumedEnd: (sessionId, promptNumber) =>
      (withdraw.get(sessionId, promptNumber) as string | undefined) ?? null,
  };
}
