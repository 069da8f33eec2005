import {
  toSingleLine,
  toStorableText,
  type ListedProject,
  type Project,
  type ProjectRef,
} from '@claude-mem/core';
import { eq } from 'drizzle-orm';
import type { Database } from '../database/driver.js';
import type { TypedDatabase } from '../database/typed-database.js';
import { TEXT_LIMITS } from '../limits.js';
import { projects } from '../schema.js';
import { storableText } from './storable.js';

export interface ProjectRecords {
  /** The id of the project with this key, which is created when it is new. A known project is never renamed. */
  ensure(project: ProjectRef, now: number): number;
  get(id: number): Project | null;
  find(key: string): Project | null;
  list(): readonly ListedProject[];
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

  return {
    ensure(project, now) {
      const key = toStorableText(project.key);
      const known = idOfKey.get(key) as number | undefined;
      if (known !== undefined) return known;
      const isTaken = (name: string) => idOfName.get(name) !== undefined;
      const name = uniqueProjectName({ key, name: project.name }, isTaken);
      return Number(insert.run(key, name, now).lastInsertRowid);
    },
    get: (id) => typed.select().from(projects).where(eq(projects.id, id)).get() ?? null,
    find: (key) =>
      typed
        .select()
        .from(projects)
        .where(eq(projects.key, toStorableText(key)))
        .get() ?? null,
    list: () => list.all() as ListedProject[],
  };
}

/** `api`, then `api (b)` for `/b/api`, then `api (a/b)` for `/a/b/api`, then numbers. */
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
