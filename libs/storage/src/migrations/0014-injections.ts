import type { Migration } from './migration.js';

/**
 * `holdout_share` is the share of sessions without injections that was set when the session began; 0 means that the holdout was off.
 * What was injected into each session: only ids and numbers, so that nothing of a forgotten record stays here. The id lists have no
 * foreign keys: ids stay after their record was forgotten.
 */
export const injections: Migration = {
  name: '0014-injections',
  up(database) {
    database.exec(`
      CREATE TABLE injections (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        prompt_number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('start', 'prompt', 'file')),
        tokens INTEGER NOT NULL,
        observation_ids TEXT NOT NULL CHECK (json_valid(observation_ids)),
        conversations INTEGER NOT NULL,
        created_at_epoch INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX injections_session ON injections (session_id);

      ALTER TABLE sdk_sessions ADD COLUMN holdout_share REAL NOT NULL DEFAULT 0;
    `);
  },
};
