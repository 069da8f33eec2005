import type { Migration } from './migration.js';

/** The index contains only words, not a second copy of the texts. */
export const fullText: Migration = {
  name: '0003-full-text',
  up(database) {
    database.exec(`
      CREATE VIRTUAL TABLE observations_fts USING fts5(
        title, narrative, facts, labels, files,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      );
      CREATE VIRTUAL TABLE session_summaries_fts USING fts5(
        body, files,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      );
      CREATE VIRTUAL TABLE user_prompts_fts USING fts5(
        prompt_text,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      );

      INSERT INTO observations_fts (rowid, title, narrative, facts, labels, files)
        SELECT id, concat_ws(' ', title, subtitle), narrative, facts, concat_ws(' ', type, concepts),
          concat_ws(' ', files_modified, files_read)
        FROM observations;
      INSERT INTO session_summaries_fts (rowid, body, files)
        SELECT id, concat_ws(' ', request, investigated, learned, completed, next_steps, notes),
          concat_ws(' ', files_edited, files_read)
        FROM session_summaries;
      INSERT INTO user_prompts_fts (rowid, prompt_text) SELECT id, prompt_text FROM user_prompts;
    `);
  },
};
