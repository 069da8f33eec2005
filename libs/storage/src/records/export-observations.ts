import type { Store } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from './observations.js';

const MAX_LIMIT = 1_000;

interface Row {
  id: number;
  project: string;
  session: string;
}

/** Reads observations in the order they were written, as they travel. */
export function createExport(database: Database, observations: ObservationRecords) {
  const page = (condition: string) =>
    database.prepare(`
      SELECT o.id, p.key AS project, s.content_session_id AS session
      FROM observations o JOIN projects p ON p.id = o.project_id JOIN sdk_sessions s ON s.id = o.session_id
      WHERE o.id > :afterId ${condition} ORDER BY o.id LIMIT :limit`);
  const everywhere = page('');
  // The plus keeps the order of ids: by the index over projects, each page would sort all of a project.
  const inProjects = page('AND +o.project_id IN (SELECT value FROM json_each(:projects))');

  type Exported = Awaited<ReturnType<Store['exportObservations']>>[number];

  const read = (rows: readonly Row[]): readonly Exported[] => {
    const found = new Map(observations.byIds(rows.map(({ id }) => id)).map((one) => [one.id, one]));
    return rows.flatMap(({ id, project, session }) => {
      const observation = found.get(id);
      if (!observation) return [];
      const { uid, promptNumber, createdAtEpoch, type, title, subtitle, narrative } = observation;
      const { facts, concepts, filesRead, filesModified } = observation;
      const texts = { type, title, subtitle, narrative, facts, concepts, filesRead, filesModified };
      return [{ id, uid, project, session, promptNumber, createdAtEpoch, ...texts }];
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
