import { createHash } from 'node:crypto';
import type { MessageOutcome } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { storableOrNull } from '../records/storable.js';

/** The outcome of an event. `prompt` and `session-end` are outcomes of events that are never queued. */
type LedgerOutcome = MessageOutcome | 'prompt' | 'session-end';

/**
 * The permanent outcome of every event, by session and hash of its deduplication key. The caller holds the
 * transaction.
 */
export interface Ledger {
  /** Returns the turn in which the event was counted, or null for a new event. */
  find(sessionId: number, dedupeKey: string): number | null;
  /**
   * Returns false and changes nothing when the event is known.
   * @param outcome null while the event's message is in the queue
   */
  add(entry: {
    sessionId: number;
    dedupeKey: string;
    promptNumber: number;
    outcome: LedgerOutcome | null;
    reason?: string | null;
  }): boolean;
  end(sessionId: number, dedupeKey: string, outcome: MessageOutcome, reason: string | null): void;
  /** Records that the message of the event is in the queue again. */
  reopen(sessionId: number, dedupeKey: string): void;
  remove(sessionId: number, dedupeKey: string): void;
  /** Checks whether the turn has events other than its prompt. */
  hasEvents(sessionId: number, promptNumber: number): boolean;
}

export function createLedger(database: Database): Ledger {
  const find = database
    .prepare('SELECT prompt_number FROM event_ledger WHERE session_id = ? AND key = ?')
    .pluck();
  const add = database.prepare('INSERT INTO event_ledger VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const end = database.prepare(
    'UPDATE event_ledger SET outcome = ?, reason = ? WHERE session_id = ? AND key = ?',
  );
  const reopen = database.prepare(
    'UPDATE event_ledger SET outcome = NULL, reason = NULL WHERE session_id = ? AND key = ?',
  );
  const remove = database.prepare('DELETE FROM event_ledger WHERE session_id = ? AND key = ?');
  const other = database
    .prepare(
      `SELECT 1 FROM event_ledger WHERE session_id = ? AND prompt_number = ? AND outcome IS NOT 'prompt' LIMIT 1`,
    )
    .pluck();

  const keyOf = createKeyOf();
  return {
    find: (sessionId, dedupeKey) => (find.get(sessionId, keyOf(dedupeKey)) as number | undefined) ?? null,
    add: ({ sessionId, dedupeKey, promptNumber, outcome, reason }) =>
      add.run(sessionId, keyOf(dedupeKey), promptNumber, outcome, storableOrNull(reason, TEXT_LIMITS.reason))
        .changes > 0,
    end: (sessionId, dedupeKey, outcome, reason) =>
      void end.run(outcome, storableOrNull(reason, TEXT_LIMITS.reason), sessionId, keyOf(dedupeKey)),
    reopen: (sessionId, dedupeKey) => void reopen.run(sessionId, keyOf(dedupeKey)),
    remove: (sessionId, dedupeKey) => void remove.run(sessionId, keyOf(dedupeKey)),
    hasEvents: (sessionId, promptNumber) => other.get(sessionId, promptNumber) !== undefined,
  };
}

/** 96 bits are short, and a collision within a session is practically impossible. */
export function ledgerKeyOf(dedupeKey: string): Buffer {
  return createHash('sha256').update(dedupeKey).digest().subarray(0, 12);
}

/** Caches the hash, because a key is looked up and then added. */
function createKeyOf(): (dedupeKey: string) => Buffer {
  let latest = '';
  let key: Buffer = Buffer.alloc(0);
  return (dedupeKey) => {
    if (dedupeKey === latest && key.length > 0) return key;
    latest = dedupeKey;
    key = ledgerKeyOf(dedupeKey);
    return key;
  };
}
