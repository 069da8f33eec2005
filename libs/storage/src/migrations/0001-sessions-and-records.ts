import type { Migration } from './migration.js';

export const sessionsAndRecords: Migration = {
  name: '0001-sessions-and-records',
  up(database) {
    database.exec(`
      CREATE TABLE projects (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        created_at_epoch INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE sdk_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        host TEXT NOT NULL,
        content_session_id TEXT NOT NULL,
        memory_session_id TEXT,
        project_id INTEGER NOT NULL REFERENCES projects (id),
        cwd TEXT,
        user_prompt TEXT,
        title TEXT,
        status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'interrupted', 'failed')),
        prompt_counter INTEGER NOT NULL DEFAULT 0,
        cumulative_input_tokens INTEGER NOT NULL DEFAULT 0,
        cumulative_output_tokens INTEGER NOT NULL DEFAULT 0,
        created_at_epoch INTEGER NOT NULL,
        last_activity_epoch INTEGER NOT NULL,
        completed_at_epoch INTEGER,
        UNIQUE (host, content_session_id)
      ) STRICT;
      CREATE INDEX sdk_sessions_project ON sdk_sessions (project_id, last_activity_epoch);
      CREATE INDEX sdk_sessions_created ON sdk_sessions (created_at_epoch);
      CREATE INDEX sdk_sessions_active ON sdk_sessions (last_activity_epoch) WHERE status = 'active';

      CREATE TABLE user_prompts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        prompt_number INTEGER NOT NULL,
        prompt_id TEXT,
        prompt_text TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL,
        UNIQUE (session_id, prompt_number)
      ) STRICT;
      CREATE INDEX user_prompts_created ON user_prompts (created_at_epoch);
      CREATE INDEX user_prompts_prompt_id ON user_prompts (session_id, prompt_id) WHERE prompt_id IS NOT NULL;

      CREATE TABLE observations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        project_id INTEGER NOT NULL REFERENCES projects (id),
        prompt_number INTEGER NOT NULL DEFAULT 0,
        type TEXT NOT NULL,
        title TEXT,
        subtitle TEXT,
        narrative TEXT,
        facts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(facts)),
        concepts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(concepts)),
        files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
        files_modified TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_modified)),
        discovery_tokens INTEGER NOT NULL DEFAULT 0,
        content_hash TEXT NOT NULL,
        source TEXT NOT NULL DEFAULT 'observer' CHECK (source IN ('observer', 'manual', 'import')),
        provider TEXT,
        model TEXT,
        agent_id TEXT,
        agent_type TEXT,
        pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
        superseded_by INTEGER REFERENCES observations (id),
        created_at_epoch INTEGER NOT NULL,
        updated_at_epoch INTEGER NOT NULL,
        UNIQUE (session_id, content_hash)
      ) STRICT;
      CREATE INDEX observations_project ON observations (project_id, created_at_epoch);
      CREATE INDEX observations_created ON observations (created_at_epoch);
      CREATE INDEX observations_pinned ON observations (project_id, created_at_epoch) WHERE pinned = 1;
      CREATE INDEX observations_superseded ON observations (superseded_by) WHERE superseded_by IS NOT NULL;

      CREATE TABLE session_summaries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        project_id INTEGER NOT NULL REFERENCES projects (id),
        prompt_number INTEGER NOT NULL DEFAULT 0,
        request TEXT,
        investigated TEXT,
        learned TEXT,
        completed TEXT,
        next_steps TEXT,
        notes TEXT,
        files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
        files_edited TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_edited)),
        created_at_epoch INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX session_summaries_session ON session_summaries (session_id, prompt_number);
      CREATE INDEX session_summaries_project ON session_summaries (project_id, created_at_epoch);
      CREATE INDEX session_summaries_created ON session_summaries (created_at_epoch);
    `);
  },
};
