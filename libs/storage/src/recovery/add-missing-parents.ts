import { uuidV7 } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { canonicalTables } from './canonical-tables.js';
import { columnsOf } from './columns-of.js';

/** Creates a placeholder, with the same id, for each session and project that could not be read but has records. */
export function addMissingParents(database: Database, now: number): void {
  const tables = canonicalTables(database).map(({ name }) => name);
  if (!tables.includes('sdk_sessions')) return;
  const childrenOf = (parent: string) =>
    tables.filter((name) =>
      (database.pragma(`foreign_key_list("${name}")`) as { table: string }[]).some(
        ({ table }) => table === parent,
      ),
    );
  const projectOf = (session: number): number | undefined => {
    for (const table of ['observations', 'session_summaries', 'user_prompts']) {
      if (!columnsOf(database, table).some(({ name }) => name === 'project_id')) continue;
      const found = database
        .prepare(`SELECT project_id FROM ${table} WHERE session_id = ? AND project_id > 0 LIMIT 1`)
        .pluck()
        .get(session) as number | undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const orphans = (table: string, column: string, parent: string) =>
    database
      .prepare(`SELECT DISTINCT ${column} FROM ${table} WHERE ${column} NOT IN (SELECT id FROM ${parent})`)
      .pluck()
      .all() as number[];

  const addProject = database.prepare(
    'INSERT OR IGNORE INTO projects (id, key, name, created_at_epoch) VALUES (?, ?, ?, ?)',
  );
  const addPlaceholder = (id: number) => addProject.run(id, `recovered:${id}`, `recovered ${id}`, now);
  const sessions = new Set(
    childrenOf('sdk_sessions').flatMap((table) => orphans(table, 'session_id', 'sdk_sessions')),
  );
  const addSession = database.prepare(`
    INSERT INTO sdk_sessions (id, uid, host, content_session_id, project_id, status, created_at_epoch, last_activity_epoch)
    VALUES (?, ?, 'recovered', ?, ?, 'interrupted', ?, ?)`);
  database.transaction(() => {
    let fallback: number | null = null;
    const fallbackProject = () => {
      fallback ??= Number(
        database
          .prepare('INSERT INTO projects (key, name, created_at_epoch) VALUES (?, ?, ?)')
          .run(`recovered:${uuidV7(now)}`, `recovered (${new Date(now).toISOString()})`, now).lastInsertRowid,
      );
      return fallback;
    };
    for (const id of sessions)
      addSession.run(id, uuidV7(now), `recovered-${id}`, projectOf(id) ?? fallbackProject(), now, now);
    for (const table of childrenOf('projects'))
      for (const id of orphans(table, 'project_id', 'projects')) addPlaceholder(id);
    database.exec(`
      UPDATE observations SET superseded_by = NULL WHERE superseded_by NOT IN (SELECT id FROM observations);
      UPDATE sdk_sessions SET prompt_counter = max(prompt_counter,
        coalesce((SELECT max(prompt_number) FROM user_prompts p WHERE p.session_id = sdk_sessions.id), 0))`);
  })();
}
