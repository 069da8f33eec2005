import {
  toSingleLine,
  type ListedProject,
  type Project,
  type ProjectRef,
  type ProjectRepository,
  type RepositoryIdentity,
} from '@claude-mem/core';
import { eq } from 'drizzle-orm';
import type { Database } from '../database/driver.js';
import type { TypedDatabase } from '../database/typed-database.js';
import { TEXT_LIMITS } from '../limits.js';
import { projects } from '../schema.js';
import { storableText } from './storable.js';

export interface ProjectRecords {
  /**
   * Returns the id of the project with this key, and creates the project when it is new. Never renames a known
   * project.
   */
  ensure(project: ProjectRef, now: number): number;
  get(id: number): Project | null;
  find(key: string): Project | null;
  list(): readonly ListedProject[];
  /** Sets the key of another folder and a matching name. The repository of the folder is recorded later. */
  changeFolder(id: number, to: ProjectRef): Project;
  /** Removes a project without records. */
  remove(id: number): void;
  repositories(): readonly ProjectRepository[];
  setRepository(projectId: number, repository: RepositoryIdentity): void;
}

export function createProjectRecords(database: Database, typed: TypedDatabase): ProjectRecords {
  const idOfKey = database.prepare('SELECT id FROM projects WHERE key = ?').pluck();
  const idOfName = database.prepare('SELECT id FROM projects WHERE name = ?').pluck();
  const insert = database.prepare('INSERT INTO projects (key, name, created_at_epoch) VALUES (?, ?, ?)');
  const list = database.prepare(`
    SELECT p.id, p.key, p.name, p.created_at_epoch AS createdAtEpoch, coalesce(c.value, 0) AS observations,
      (SELECT count(*) FROM sdk_sessions WHERE project_id = p.id) AS sessions,
      (SELECT max(last_activity_epoch) FROM sdk_sessions WHERE project_id = p.id) AS lastActivityEpoch
    FROM projects p LEFT JOIN counters c ON c.name = 'observations' AND c.scope = p.id
    ORDER BY p.name, p.id`);

  const changeFolder = database.prepare('UPDATE projects SET key = ?, name = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM projects WHERE id = ?');
  const removeRepository = database.prepare('DELETE FROM project_repositories WHERE project_id = ?');
  const setRepository = database.prepare(`
    INSERT INTO project_repositories (project_id, remote_hash, root_commit)
      SELECT id, :remoteHash, :rootCommit FROM projects WHERE id = :projectId
    ON CONFLICT (project_id) DO UPDATE SET remote_hash = excluded.remote_hash, root_commit = excluded.root_commit`);
  const listRepositories = database.prepare(`
    SELECT p.id, p.key, p.name, r.remote_hash AS remoteHash, r.root_commit AS rootCommit
    FROM project_repositories r JOIN projects p ON p.id = r.project_id ORDER BY p.id`);
  const get = (id: number) => typed.select().from(projects).where(eq(projects.id, id)).get() ?? null;
  const nameFor = (project: ProjectRef, own: number | null) =>
    uniqueProjectName(
      project,
      (name) => ![undefined, own].includes(idOfName.get(name) as number | undefined),
    );

  return {
    ensure(project, now) {
      const key = storableKey(project.key);
      const known = idOfKey.get(key) as number | undefined;
      if (known !== undefined) return known;
      const name = nameFor({ key, name: project.name }, null);
      return Number(insert.run(key, name, now).lastInsertRowid);
    },
    get,
    changeFolder(id, to) {
      const key = storableKey(to.key);
      changeFolder.run(key, nameFor({ key, name: to.name }, id), id);
      removeRepository.run(id);
      return get(id)!;
    },
    remove(id) {
      removeRepository.run(id);
      remove.run(id);
    },
    repositories: () => listRepositories.all() as ProjectRepository[],
    setRepository: (projectId, repository) => void setRepository.run({ projectId, ...repository }),
    find: (key) =>
      typed
        .select()
        .from(projects)
        .where(eq(projects.key, storableKey(key)))
        .get() ?? null,
    list: () => list.all() as ListedProject[],
  };
}

/** Not normalized to NFC: on most file systems of Linux, two forms of a name are two folders. */
const storableKey = (key: string): string => key.replaceAll('\0', '\u2400').toWellFormed();

/** Returns a unique name: `api`, then `api (b)` for `/b/api`, then `api (a/b)` for `/a/b/api`, then a number. */
function uniqueProjectName(project: ProjectRef, isTaken: (name: string) => boolean): string {
  const wanted = storableText(toSingleLine(project.name), TEXT_LIMITS.projectName) || 'project';
  if (!isTaken(wanted)) return wanted;
  const parents = project.key.split(/[\\/]+/).filter((part) => part !== '').slice(0, -1); // prettier-ignore
  for (let depth = 1; depth <= parents.length; depth += 1) {
    const name = `${wanted} (${storableText(parents.slice(-depth).join('/'), TEXT_LIMITS.projectName)})`;
    if (!isTaken(name)) return name;
  }
  for (let number = 2; ; number += 1) if (!isTaken(`${wanted} (${number})`)) return `${wanted} (${number})`;
}
