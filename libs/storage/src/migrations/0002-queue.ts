import type { Migration } from './migration.js';

/**
 * The ledger keeps one short row per event permanently, so that an event is recognized after its message was
 * confirmed and deleted. Its outcome is null while the message waits; `prompt` and `session-end` are never queued.
 * The payload is the last column of a message, so that the other columns are read without it.
 */
export const queue: Migration = {
  name: '0002-queue',
  up(database) {
    database.exec(`
      CREATE TABLE pending_messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'summarize')),
        prompt_number INTEGER NOT NULL DEFAULT 0,
        dedupe_key TEXT NOT NULL,
        bytes INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'parked')),
        attempts INTEGER NOT NULL DEFAULT 0,
        last_error TEXT,
        created_at_epoch INTEGER NOT NULL DEFAULT 0,
        claimed_at_epoch INTEGER,
        available_at_epoch INTEGER NOT NULL DEFAULT 0,
        payload TEXT NOT NULL CHECK (json_valid(payload)),
        UNIQUE (session_id, dedupe_key)
      ) STRICT;
      CREATE INDEX pending_messages_turn ON pending_messages (session_id, prompt_number);
      CREATE INDEX pending_messages_waiting ON pending_messages
        (session_id, status, prompt_number, kind, bytes, created_at_epoch);
      CREATE INDEX pending_messages_claimed ON pending_messages (claimed_at_epoch) WHERE status = 'processing';

      CREATE TABLE event_ledger (
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        key BLOB NOT NULL CHECK (length(key) = 12),
        prompt_number INTEGER NOT NULL DEFAULT 0,
        outcome TEXT CHECK (
          outcome IN ('stored', 'evidence', 'empty', 'filtered', 'dropped', 'prompt', 'session-end')
        ),
        reason TEXT,
        PRIMARY KEY (session_id, key)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE usage (
        day TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL DEFAULT '',
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        calls INTEGER NOT NULL DEFAULT 0,
        input_tokens INTEGER NOT NULL DEFAULT 0,
        output_tokens INTEGER NOT NULL DEFAULT 0,
        cached_tokens INTEGER NOT NULL DEFAULT 0,
        estimated_cost_usd REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (day, provider, model, session_id)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
