import type { Migration } from './migration.js';

/**
 * The number of uses of each tool per session, because the messages with the tool uses are deleted after they were
 * observed.
 */
export const toolUses: Migration = {
  name: '0009-tool-uses',
  up(database) {
    database.exec(`
      CREATE TABLE session_tool_uses (
        session_id INTEGER NOT NULL REFERENCES sdk_sessions (id),
        tool TEXT NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session_id, tool)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
