import type { Migration } from './migration.js';

/**
 * Counters make totals free to read at any size. Triggers update them for every kind of write. `scope` is the project
 * for records and 0 for totals of the ledger.
 */
export const derived: Migration = {
  name: '0004-derived',
  up(database) {
    database.exec(`
      CREATE TABLE vectors (
        id INTEGER PRIMARY KEY,
        document_id TEXT NOT NULL,
        model TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        vector BLOB NOT NULL,
        created_at_epoch INTEGER NOT NULL,
        UNIQUE (model, document_id)
      ) STRICT;

      CREATE TABLE index_outbox (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'summary', 'prompt')),
        record_id INTEGER NOT NULL,
        operation TEXT NOT NULL CHECK (operation IN ('upsert', 'remove')),
        created_at_epoch INTEGER NOT NULL,
        UNIQUE (kind, record_id)
      ) STRICT;

      CREATE TABLE counters (
        name TEXT NOT NULL,
        scope INTEGER NOT NULL,
        value INTEGER NOT NULL,
        PRIMARY KEY (name, scope)
      ) STRICT, WITHOUT ROWID;

      INSERT INTO counters SELECT 'observations', project_id, count(*) FROM observations GROUP BY project_id;
      INSERT INTO counters SELECT outcome, 0, count(*) FROM event_ledger WHERE outcome IS NOT NULL GROUP BY outcome;

      CREATE TRIGGER observations_counted_in AFTER INSERT ON observations BEGIN
        INSERT INTO counters VALUES ('observations', new.project_id, 1)
          ON CONFLICT (name, scope) DO UPDATE SET value = value + 1;
      END;
      CREATE TRIGGER observations_counted_out AFTER DELETE ON observations BEGIN
        UPDATE counters SET value = value - 1 WHERE name = 'observations' AND scope = old.project_id;
      END;
      CREATE TRIGGER observations_counted_over AFTER UPDATE OF project_id ON observations BEGIN
        UPDATE counters SET value = value - 1 WHERE name = 'observations' AND scope = old.project_id;
        INSERT INTO counters VALUES ('observations', new.project_id, 1)
          ON CONFLICT (name, scope) DO UPDATE SET value = value + 1;
      END;
      CREATE TRIGGER outcomes_counted_in AFTER INSERT ON event_ledger WHEN new.outcome IS NOT NULL BEGIN
        INSERT INTO counters VALUES (new.outcome, 0, 1)
          ON CONFLICT (name, scope) DO UPDATE SET value = value + 1;
      END;
      CREATE TRIGGER outcomes_counted_over AFTER UPDATE OF outcome ON event_ledger BEGIN
        UPDATE counters SET value = value - 1 WHERE name = old.outcome AND scope = 0;
        INSERT INTO counters SELECT new.outcome, 0, 1 WHERE new.outcome IS NOT NULL
          ON CONFLICT (name, scope) DO UPDATE SET value = value + 1;
      END;
    `);
  },
};
