import type { Migration } from './migration.js';

/**
 * Forgotten records that can still be undone: their rows as JSON by table and, as `superseded`, the records that they
 * had superseded. Only the undo reads it. When the undo time ends, the rows are deleted and their remains in the file
 * are overwritten.
 */
export const forgetBin: Migration = {
  name: '0008-forget-bin',
  up(database) {
    database.exec(`
      CREATE TABLE forget_bin (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        forgotten_at_epoch INTEGER NOT NULL,
        final_at_epoch INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE forget_bin_rows (
        id INTEGER PRIMARY KEY,
        bin_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        record_id INTEGER NOT NULL,
        data TEXT NOT NULL CHECK (json_valid(data))
      ) STRICT;
      CREATE INDEX forget_bin_rows_bin ON forget_bin_rows (bin_id, kind);
      CREATE INDEX forget_bin_rows_record ON forget_bin_rows (kind, record_id);
    `);
  },
};
