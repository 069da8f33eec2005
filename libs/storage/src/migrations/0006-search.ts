import type { Migration } from './migration.js';

const OBSERVATION_CONTENT =
  'session_id, project_id, prompt_number, type, title, subtitle, narrative, facts, concepts, files_read, files_modified, created_at_epoch';
const SUMMARY_CONTENT =
  'session_id, project_id, prompt_number, request, investigated, learned, completed, next_steps, notes, files_read, files_edited, created_at_epoch';
const PROMPT_CONTENT = 'session_id, project_id, prompt_number, prompt_text, created_at_epoch';

/** The words are already analysed, so every character except a space is part of a word. */
const TOKENIZE = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"`;

const IS_VECTOR_TARGET_SET = `EXISTS (SELECT 1 FROM search_state WHERE name = 'vector-target')`;

/** Derived data is deleted with its record. A changed record is indexed again, and is not found until then. */
function indexTriggers(table: string, kind: number, content: string): string {
  const forget = `
      DELETE FROM search_documents WHERE kind = ${kind} AND record_id = old.id;
      DELETE FROM ${table}_fts WHERE rowid = old.id;`;
  return `
    CREATE TRIGGER ${table}_unindexed AFTER DELETE ON ${table} BEGIN ${forget}
      DELETE FROM search_pending WHERE kind = ${kind} AND record_id = old.id;
    END;
    CREATE TRIGGER ${table}_reindexed AFTER UPDATE OF ${content} ON ${table} BEGIN ${forget}
      INSERT OR IGNORE INTO search_pending VALUES (${kind}, new.id);
    END;`;
}

/**
 * The inverted index, FTS5 tables for its query syntax, vectors, and the outbox of records without vectors. All of it
 * is derived, so a migration from older tables fills it again from the records.
 * A document is one version of a record. Its terms are in `search_unfolded` until many documents are folded together
 * into the blocks of `search_postings`. The id of a block is the id of the term times 2^20 plus the number of the
 * block.
 */
export const search: Migration = {
  name: '0006-search',
  up(database) {
    database.exec(`
      DROP TABLE observations_fts;
      DROP TABLE session_summaries_fts;
      DROP TABLE user_prompts_fts;
      DROP TABLE vectors;
      DROP TABLE index_outbox;

      ALTER TABLE user_prompts ADD COLUMN project_id INTEGER NOT NULL DEFAULT 0;
      UPDATE user_prompts SET project_id =
        coalesce((SELECT project_id FROM sdk_sessions s WHERE s.id = user_prompts.session_id), 0);
      CREATE INDEX user_prompts_project ON user_prompts (project_id, created_at_epoch);
      CREATE TRIGGER user_prompts_moved AFTER UPDATE OF project_id ON sdk_sessions BEGIN
        UPDATE user_prompts SET project_id = new.project_id
          WHERE session_id = new.id AND project_id <> new.project_id;
      END;
      CREATE UNIQUE INDEX observations_uid ON observations (uid);

      CREATE VIRTUAL TABLE observations_fts USING fts5(
        title, narrative, facts, labels, files, content = '', contentless_delete = 1, ${TOKENIZE}
      );
      CREATE VIRTUAL TABLE session_summaries_fts USING fts5(
        body, files, content = '', contentless_delete = 1, ${TOKENIZE}
      );
      CREATE VIRTUAL TABLE user_prompts_fts USING fts5(
        prompt_text, content = '', contentless_delete = 1, ${TOKENIZE}
      );

      CREATE TABLE search_state (
        name TEXT NOT NULL PRIMARY KEY,
        value ANY NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO search_state VALUES ('analysis-version', 0), ('documents', 0), ('epoch', 0), ('generation', 0);

      CREATE TABLE search_documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind INTEGER NOT NULL,
        record_id INTEGER NOT NULL,
        data BLOB NOT NULL,
        UNIQUE (kind, record_id)
      ) STRICT;
      CREATE TABLE search_unfolded (
        document_id INTEGER PRIMARY KEY,
        terms BLOB NOT NULL
      ) STRICT;
      CREATE TABLE search_removals (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER,
        vector_id INTEGER
      ) STRICT;
      CREATE TABLE search_terms (
        id INTEGER PRIMARY KEY,
        term TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE search_postings (
        id INTEGER PRIMARY KEY,
        data BLOB NOT NULL
      ) STRICT;
      CREATE TABLE search_pending (
        kind INTEGER NOT NULL,
        record_id INTEGER NOT NULL,
        PRIMARY KEY (kind, record_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE vectors (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id TEXT NOT NULL,
        observation_id INTEGER NOT NULL,
        model TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        scale REAL NOT NULL,
        content_hash TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (document_id, model)
      ) STRICT;
      CREATE INDEX vectors_observation ON vectors (observation_id);
      CREATE INDEX vectors_model ON vectors (model, dimensions);

      CREATE TABLE index_outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        observation_id INTEGER NOT NULL UNIQUE,
        attempts INTEGER NOT NULL DEFAULT 0,
        available_at_epoch INTEGER NOT NULL DEFAULT 0,
        last_error TEXT
      ) STRICT;

      CREATE TRIGGER search_documents_counted_in AFTER INSERT ON search_documents BEGIN
        UPDATE search_state SET value = value + 1 WHERE name = 'documents';
      END;
      CREATE TRIGGER search_documents_removed AFTER DELETE ON search_documents BEGIN
        UPDATE search_state SET value = value - 1 WHERE name = 'documents';
        DELETE FROM search_unfolded WHERE document_id = old.id;
        INSERT INTO search_removals (document_id) VALUES (old.id);
      END;
      CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
        INSERT INTO search_removals (vector_id) VALUES (old.id);
      END;
      ${indexTriggers('observations', 0, OBSERVATION_CONTENT)}
      ${indexTriggers('session_summaries', 1, SUMMARY_CONTENT)}
      ${indexTriggers('user_prompts', 2, PROMPT_CONTENT)}

      CREATE TRIGGER observations_queued_new AFTER INSERT ON observations WHEN ${IS_VECTOR_TARGET_SET} BEGIN
        DELETE FROM index_outbox WHERE observation_id = new.id;
        INSERT INTO index_outbox (observation_id) VALUES (new.id);
      END;
      CREATE TRIGGER observations_queued_changed AFTER UPDATE OF ${OBSERVATION_CONTENT} ON observations
      WHEN ${IS_VECTOR_TARGET_SET} BEGIN
        DELETE FROM index_outbox WHERE observation_id = new.id;
        INSERT INTO index_outbox (observation_id) VALUES (new.id);
      END;
      CREATE TRIGGER observations_queued_removed AFTER DELETE ON observations BEGIN
        DELETE FROM vectors WHERE observation_id = old.id;
        DELETE FROM index_outbox WHERE observation_id = old.id;
        INSERT INTO index_outbox (observation_id) SELECT old.id WHERE ${IS_VECTOR_TARGET_SET};
      END;
    `);
  },
};
