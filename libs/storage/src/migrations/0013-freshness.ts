import type { Migration } from './migration.js';

/**
 * The files of each record when it was stored, the branch and commit of each prompt, and the changes of the files and
 * the branch since. `observation_freshness` is derived: it has a row for each record with a known state, for the
 * commit that is checked out.
 */
export const freshness: Migration = {
  name: '0013-freshness',
  up(database) {
    database.exec(`
      ALTER TABLE observations ADD COLUMN file_states TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE user_prompts ADD COLUMN branch TEXT;
      ALTER TABLE user_prompts ADD COLUMN head_commit TEXT;
      CREATE INDEX observations_with_files ON observations (project_id, id) WHERE file_states <> '[]';

      CREATE TABLE observation_freshness (
        observation_id INTEGER PRIMARY KEY,
        checkout TEXT NOT NULL,
        head_commit TEXT,
        freshness TEXT NOT NULL CHECK (json_valid(freshness))
      ) STRICT;
      CREATE TRIGGER observation_freshness_removed AFTER DELETE ON observations BEGIN
        DELETE FROM observation_freshness WHERE observation_id = old.id;
      END;
      CREATE TRIGGER observation_freshness_outdated AFTER UPDATE OF file_states, project_id ON observations BEGIN
        DELETE FROM observation_freshness WHERE observation_id = old.id;
      END;
    `);
  },
};
