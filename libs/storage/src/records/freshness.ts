import {
  FILE_ROLES,
  isRecord,
  type FileState,
  type Logger,
  type ObservationFiles,
  type ObservationFreshness,
  type Store,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { decodeRows, readJson, type RowDecoder } from './decode-row.js';
import { MAX_LIMIT } from './page.js';

/** The files of observations when they were stored, and their later changes. */
export interface FreshnessRecords {
  filesOf(observationId: number): readonly FileState[];
  listFiles(
    request: Parameters<Store['listObservationFiles']>[0],
  ): Awaited<ReturnType<Store['listObservationFiles']>>;
  /** The caller holds the transaction. */
  set(rows: readonly ObservationFreshness[]): void;
  of(ids: readonly number[]): readonly ObservationFreshness[];
  listStale(request: Parameters<Store['listStale']>[0]): readonly ObservationFreshness[];
}

interface FilesRow {
  id: number;
  fileStates: string;
  branch: string | null;
  headCommit: string | null;
}

interface FreshnessRow {
  id: number;
  checkout: string;
  headCommit: string | null;
  freshness: string;
}

const decoder: RowDecoder<FreshnessRow, ObservationFreshness> = {
  table: 'observation_freshness',
  decode: ({ id, freshness, ...row }) => ({
    observationId: id,
    ...row,
    freshness: readJson(freshness, 'freshness') as ObservationFreshness['freshness'],
  }),
};

export function createFreshnessRecords(database: Database, logger: Logger): FreshnessRecords {
  const filesOf = database.prepare('SELECT file_states FROM observations WHERE id = ?').pluck();
  const listFiles = database.prepare(`
    SELECT o.id, o.file_states AS fileStates, p.branch, p.head_commit AS headCommit
    FROM observations o
      LEFT JOIN user_prompts p ON p.session_id = o.session_id AND p.prompt_number = o.prompt_number
    WHERE o.project_id = :projectId AND o.file_states <> '[]' AND o.id < :beforeId AND o.superseded_by IS NULL
    ORDER BY o.id DESC LIMIT :limit`);
  // Each prompt checks all records again, and most verdicts stay the same.
  const set = database.prepare(`
    INSERT INTO observation_freshness (observation_id, checkout, head_commit, freshness)
      SELECT id, :checkout, :headCommit, :freshness FROM observations WHERE id = :observationId
    ON CONFLICT (observation_id) DO UPDATE SET checkout = excluded.checkout, head_commit = excluded.head_commit,
      freshness = excluded.freshness
    WHERE (checkout, head_commit, freshness) IS NOT (excluded.checkout, excluded.head_commit, excluded.freshness)`);
  const columns = `f.observation_id AS id, f.checkout, f.head_commit AS headCommit, f.freshness`;
  const of = database.prepare(`
    SELECT ${columns} FROM observation_freshness f WHERE f.observation_id IN (SELECT value FROM json_each(?))`);
  const listStale = (condition: string) =>
    database.prepare(`
      SELECT ${columns} FROM observation_freshness f JOIN observations o ON o.id = f.observation_id
      WHERE f.freshness ->> '$.verdict' IN ('changed', 'moved', 'gone') AND o.superseded_by IS NULL ${condition}
      ORDER BY o.created_at_epoch DESC, o.id DESC LIMIT :limit OFFSET :offset`);
  const ofAll = listStale('');
  const ofProjects = listStale('AND o.project_id IN (SELECT value FROM json_each(:projects))');
  const decode = (rows: unknown[]) => decodeRows(decoder, rows as FreshnessRow[], logger);

  return {
    filesOf: (observationId) => readFileStates(filesOf.get(observationId)),
    listFiles({ projectId, beforeId = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = listFiles.all({ projectId, beforeId, limit: Math.min(limit, MAX_LIMIT) }) as FilesRow[];
      return rows.map(toObservationFiles);
    },
    set(rows) {
      for (const { freshness, ...row } of rows) set.run({ ...row, freshness: JSON.stringify(freshness) });
    },
    of: (ids) => decode(of.all(JSON.stringify(ids))),
    listStale({ projectIds, limit, offset = 0 }) {
      const range = { limit: Math.min(limit, MAX_LIMIT), offset };
      return decode(
        projectIds === undefined
          ? ofAll.all(range)
          : ofProjects.all({ ...range, projects: JSON.stringify(projectIds) }),
      );
    },
  };
}

function toObservationFiles({ id, fileStates, branch, headCommit }: FilesRow): ObservationFiles {
  const head = branch === null && headCommit === null ? null : { branch, commit: headCommit };
  return { observationId: id, files: readFileStates(fileStates), head };
}

/** An unreadable state counts as unknown, because the text of the record is still valid. */
function readFileStates(json: unknown): readonly FileState[] {
  let list: unknown;
  try {
    list = JSON.parse(String(json));
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.flatMap(readFileState) : [];
}

function readFileState(value: unknown): FileState[] {
  if (!isRecord(value) || typeof value['path'] !== 'string') return [];
  const role = FILE_ROLES.find((one) => one === value['role']);
  const blob = typeof value['blob'] === 'string' ? value['blob'] : null;
  return role === undefined ? [] : [{ path: value['path'], role, blob }];
}
