import { NEUTRAL_PROJECT, type MovedProject, type MoveProjectRequest } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { StorageError } from '../storage-error.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import type { ProjectRecords } from './projects.js';

/** Maximum number of merged records that are indexed in the same transaction. The maintenance indexes the others. */
const MAX_INDEXED = 100;

/** Moves all records of a project to another folder. The caller holds the transaction. */
export function createMoveProject(
  database: Database,
  projects: ProjectRecords,
  upkeep: IndexWriter,
): (request: MoveProjectRequest) => MovedProject {
  const moveSessions = database.prepare(
    'UPDATE sdk_sessions SET project_id = :to WHERE project_id = :from', // A trigger moves the prompts.
  );
  const moves = [
    'UPDATE observations SET project_id = :to WHERE project_id = :from',
    'UPDATE session_summaries SET project_id = :to WHERE project_id = :from',
    'UPDATE forgotten SET project_id = :to WHERE project_id = :from',
    `UPDATE forget_bin_rows SET data = json_set(data, '$.project_id', :to) WHERE data ->> '$.project_id' = :from`,
  ].map((sql) => database.prepare(sql));
  const removeCounters = database.prepare(
    `DELETE FROM counters WHERE name = 'observations' AND scope = ? AND value = 0`,
  );
  const hasRecords = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM observations WHERE project_id = :id)
        OR EXISTS (SELECT 1 FROM session_summaries WHERE project_id = :id)
        OR EXISTS (SELECT 1 FROM user_prompts WHERE project_id = :id)`,
    )
    .pluck();

  return ({ id, to, merge }) => {
    const from = projects.get(id);
    if (from === null) throw new StorageError('storage/unknown-record', `There is no project ${id}.`);
    if (from.key === NEUTRAL_PROJECT.key || to.key === NEUTRAL_PROJECT.key)
      throw new StorageError('storage/refused', 'Records without a project cannot be moved.');
    const target = projects.find(to.key);
    if (target?.id === id) return { kind: 'moved', project: from, from, isMerged: false };
    if (target === null)
      return { kind: 'moved', project: projects.changeFolder(id, to), from, isMerged: false };
    const isMerged = hasRecords.get({ id: target.id }) === 1;
    if (isMerged && !merge) return { kind: 'occupied', project: target };
    moveSessions.run({ from: id, to: target.id });
    for (const move of moves) move.run({ from: id, to: target.id });
    removeCounters.run(id);
    projects.remove(id);
    upkeep.takePending(MAX_INDEXED);
    return { kind: 'moved', project: target, from, isMerged };
  };
}
