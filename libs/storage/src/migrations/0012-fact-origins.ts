import type { Migration } from './migration.js';

/** Origins of the facts of a record, in the order of `facts`. A missing origin is unknown. */
export const factOrigins: Migration = {
  name: '0012-fact-origins',
  up(database) {
    database.exec(`ALTER TABLE observations ADD COLUMN fact_origins TEXT NOT NULL DEFAULT '[]'`);
  },
};
