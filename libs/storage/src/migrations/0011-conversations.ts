import type { Migration } from './migration.js';

/**
 * Adds the closing message of each prompt and whether a prompt was imported. Adds the conversation record of each
 * session, with the content hash that the observer wrote last. The record has no foreign key, because its id remains
 * after the record was forgotten.
 */
export const conversations: Migration = {
  name: '0011-conversations',
  up(database) {
    database.exec(`
      ALTER TABLE user_prompts ADD COLUMN agent_reply TEXT;
      ALTER TABLE user_prompts ADD COLUMN is_imported INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sdk_sessions ADD COLUMN conversation_record_id INTEGER;
      ALTER TABLE sdk_sessions ADD COLUMN conversation_record_hash TEXT;
      CREATE INDEX sdk_sessions_conversation ON sdk_sessions (project_id) WHERE conversation_record_id IS NOT NULL;
    `);
  },
};
