import type { HostName, Store } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from './observations.js';

const MAX_LIMIT = 1_000;

interface Row {
  id: number;
  project: string;
  host: HostName;
  session: string;
  supersededBy: string | null;
}

/** Reads observations in the order they were written, as they travel. */
export function createExport(database: Database, observations: ObservationRecords) {
  const page = (condition: string) =>
    database.prepare(`
      SELECT o.id, p.key AS project, s.host, s.content_session_id AS session,
        (SELECT uid FROM observations WHERE id = o.superseded_by) AS supersededBy
      FROM observations o JOIN projects p ON p.id = o.project_id JOIN sdk_sessions s ON s.id = o.session_id
      WHERE o.id > :afterId ${condition} ORDER BY o.id LIMIT :limit`);
  const everywhere = page('');
  // The plus keeps the order of ids: by the index over projects, each page would sort all of a project.
  const inProjects = page('AND +o.project_id IN (SELECT value FROM json_each(:projects))');

  const supersedes = database
    .prepare('SELECT uid FROM observations WHERE superseded_by = ? ORDER BY id')
    .pluck();

  type Exported = Awaited<ReturnType<Store['exportObservations']>>[number];

  const read = (rows: readonly Row[]): readonly Exported[] => {
    const found = new Map(observations.byIds(rows.map(({ id }) => id)).map((one) => [one.id, one]));
    return rows.flatMap(({ id, project, host, session, supersededBy }) => {
      const observation = found.get(id);
      if (!observation) return [];
      const { sessionId: _, projectId: __, contentHash: ___, ...own } = observation;
      return [
        {
          ...own,
          project,
          host,
          session,
          supersededBy,
          supersedes: supersedes.all(id) as string[],
        },
      ];
    });
  };

  /** Rows that cannot be read are passed over, so that a page is short only when it is the last. */
  return ({
    afterId = 0,
    limit,
    projectIds,
  }: Parameters<Store['exportObservations']>[0]): readonly Exported[] => {
    const wanted = Math.min(Math.max(Math.trunc(limit) || 0, 0), MAX_LIMIT);
    const items: Exported[] = [];
    for (let after = afterId; items.length < wanted;) {
      const values = { afterId: after, limit: wanted - items.length };
      const rows = (
        projectIds
          ? inProjects.all({ ...values, projects: JSON.stringify(projectIds) })
          : everywhere.all(values)
      ) as Row[];
      items.push(...read(rows));
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    return items;
  };
}
