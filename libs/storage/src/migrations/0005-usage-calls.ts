import type { Migration } from './migration.js';

/**
 * `usage_calls` contains running calls with their maximum cost. Finished calls move to `usage`. Ids are never reused,
 * so that a call that is reported twice is counted once. The index covers the fields of waiting messages, because the
 * new column is stored after the payload.
 */
export const usageCalls: Migration = {
  name: '0005-usage-calls',
  up(database) {
    database.exec(`
      ALTER TABLE pending_messages
        ADD COLUMN is_evidence INTEGER NOT NULL DEFAULT 0 CHECK (is_evidence IN (0, 1));
      DROP INDEX pending_messages_waiting;
      CREATE INDEX pending_messages_waiting ON pending_messages
        (session_id, status, prompt_number, kind, is_evidence, bytes, created_at_epoch, available_at_epoch);

      ALTER TABLE usage ADD COLUMN failed_calls INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE usage_calls (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        day TEXT NOT NULL,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        provider TEXT NOT NULL,
        model TEXT NOT NULL DEFAULT '',
        input_tokens INTEGER NOT NULL DEFAULT 0,
        output_tokens INTEGER NOT NULL DEFAULT 0,
        cached_tokens INTEGER NOT NULL DEFAULT 0,
        estimated_cost_usd REAL NOT NULL DEFAULT 0,
        started_at_epoch INTEGER NOT NULL
      ) STRICT;
    `);
  },
};
