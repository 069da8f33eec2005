import type { Migration } from './migration.js';

/**
 * The git repository of a project, so that its records are found again when the folder moves. `remote_hash` is a
 * hash, since the address of a remote can contain a password; null means that the repository has no remote.
 */
export const projectRepositories: Migration = {
  name: '0010-project-repositories',
  up(database) {
    database.exec(`
      CREATE TABLE project_repositories (
        project_id INTEGER NOT NULL PRIMARY KEY REFERENCES projects (id),
        remote_hash TEXT,
        root_commit TEXT NOT NULL
      ) STRICT;
    `);
  },
};
