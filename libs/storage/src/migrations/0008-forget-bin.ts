import type { Migration } from './migration.js';

/**
 * What was forgotten and can still be undone: its rows as JSON by table and, as `superseded`, what it had superseded. Nothing reads
 * it but undoing; when it is final it goes, and what is left of it in the file is overwritten.
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
