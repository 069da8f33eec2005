import { createHash } from 'node:crypto';
import type { MessageOutcome } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { storableOrNull } from '../records/storable.js';

/** How an event ended. `prompt` and `session-end` are kept as what they are: they never wait in the queue. */
type LedgerOutcome = MessageOutcome | 'prompt' | 'session-end';

/** The recorded end of every event, by session and hash of its dedupe key. Callers hold the transaction. */
export interface Ledger {
  /** Number of the turn the event was counted in, or null when it is new. */
  find(sessionId: number, dedupeKey: string): number | null;
  /**
   * False when the event was there already; then nothing is changed.
   * @param outcome null while the event's message waits in the queue
   */
  add(entry: {
    sessionId: number;
    dedupeKey: string;
    promptNumber: number;
    outcome: LedgerOutcome | null;
    reason?: string | null;
  }): boolean;
  end(sessionId: number, dedupeKey: string, outcome: MessageOutcome, reason: string | null): void;
  /** Its message waits again. */
  reopen(sessionId: number, dedupeKey: string): void;
  remove(sessionId: number, dedupeKey: string): void;
  /** True when the turn has events other than its prompt. */
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

/** 96 bits: short, and far from any chance of two equal ones within a session. */
export function ledgerKeyOf(dedupeKey: string): Buffer {
  return createHash('sha256').update(dedupeKey).digest().subarray(0, 12);
}

/** The same key is looked up and then added. */
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
