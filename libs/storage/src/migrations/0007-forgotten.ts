import type { Migration } from './migration.js';

/** Hashes of forgotten records, without their texts, so that they do not come back. */
export const forgotten: Migration = {
  name: '0007-forgotten',
  up(database) {
    database.exec(`
      CREATE TABLE forgotten (
        uid_hash BLOB NOT NULL PRIMARY KEY CHECK (length(uid_hash) = 16),
        project_id INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        forgotten_at_epoch INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX forgotten_content ON forgotten (project_id, content_hash);
    `);
  },
};
