import type {
  HostName,
  ImportedPrompt,
  ImportedRecord,
  Observation,
  Project,
  Session,
  Store,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { StorageError } from '../storage-error.js';
import type { FreshnessRecords } from './freshness.js';
import type { ObservationRecords } from './observations.js';
import type { ProjectRecords } from './projects.js';
import type { SessionRecords } from './sessions.js';
import type { SummaryRecords } from './summaries.js';
import { createToolUseReader } from './tool-uses.js';

/** In the order that an import needs: a session is created before its records. */
const KINDS = ['project', 'session', 'prompt', 'summary', 'observation'] as const;
type Kind = (typeof KINDS)[number];

const MAX_LIMIT = 1_000;

interface PageRequest {
  afterId: number;
  limit: number;
  projectIds?: readonly number[];
}

/** Returns the records after `afterId`, and the largest id that was read. Null when there are no rows. */
type ReadPage = (request: PageRequest) => { records: readonly ImportedRecord[]; lastId: number } | null;

interface ExportParts {
  observations: ObservationRecords;
  projects: ProjectRecords;
  sessions: SessionRecords;
  summaries: SummaryRecords;
  freshness: Pick<FreshnessRecords, 'filesOf'>;
}

/** Reads all records of a memory, by kind and then by id. */
export function createExportRecords(
  database: Database,
  { observations, projects, sessions, summaries, freshness }: ExportParts,
): (request: Parameters<Store['exportRecords']>[0]) => Awaited<ReturnType<Store['exportRecords']>> {
  const toolUses = createToolUseReader(database);
  const keys = database.prepare('SELECT key FROM projects WHERE id = ?').pluck();
  const keyOf = (projectId: number) => (keys.get(projectId) as string | undefined) ?? null;
  const repositoryOf = database.prepare(
    'SELECT remote_hash AS remoteHash, root_commit AS rootCommit FROM project_repositories WHERE project_id = ?',
  );
  /** The plus sign prevents the index over projects, with which each page would sort all rows of a project. */
  const idsOf = (table: string, project: string) => {
    const page = (condition: string) =>
      database
        .prepare(`SELECT id FROM ${table} WHERE id > :afterId ${condition} ORDER BY id LIMIT :limit`)
        .pluck();
    const all = page('');
    const some = page(`AND +${project} IN (SELECT value FROM json_each(:projects))`);
    return ({ projectIds, ...range }: PageRequest) =>
      (projectIds === undefined
        ? all.all(range)
        : some.all({ ...range, projects: JSON.stringify(projectIds) })) as number[];
  };
  const readBy =
    (
      find: (request: PageRequest) => number[],
      read: (ids: readonly number[]) => ImportedRecord[],
    ): ReadPage =>
    (request) => {
      const ids = find(request);
      const lastId = ids.at(-1);
      return lastId === undefined ? null : { records: read(ids), lastId };
    };
  const promptRows = database.prepare(`
    SELECT uid, session_id AS sessionId, project_id AS projectId, prompt_number AS promptNumber, prompt_id AS promptId,
      prompt_text AS promptText, created_at_epoch AS createdAtEpoch, agent_reply AS agentReply,
      branch, head_commit AS headCommit
    FROM user_prompts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`);

  const uidOf = database.prepare('SELECT uid FROM observations WHERE id = ?').pluck();
  const supersedes = database
    .prepare('SELECT uid FROM observations WHERE superseded_by = ? ORDER BY id')
    .pluck();

  const conversationHashOf = database
    .prepare(
      'SELECT conversation_record_hash FROM sdk_sessions WHERE id = :sessionId AND conversation_record_id = :id',
    )
    .pluck();

  const placeOf = database.prepare(`
    SELECT p.key AS project, s.host, s.content_session_id AS session FROM sdk_sessions s, projects p
    WHERE s.id = :sessionId AND p.id = :projectId`);

  /** Adds the session and project of each row. */
  const withPlace = <Row extends { sessionId: number; projectId: number }>(rows: readonly Row[]) =>
    rows.map(({ sessionId, projectId, ...row }) => ({
      ...row,
      ...(placeOf.get({ sessionId, projectId }) as { project: string; host: HostName; session: string }),
    }));

  const withConversationHash = (observation: Observation) => ({
    ...observation,
    conversationHash:
      (conversationHashOf.get({ id: observation.id, sessionId: observation.sessionId }) as
        string | undefined) ?? null,
  });

  const read: Record<Kind, ReadPage> = {
    project: readBy(idsOf('projects', 'id'), (ids) =>
      ids.flatMap((id) => projectRecord(projects.get(id), repositoryOf.get(id) as Repository | undefined)),
    ),
    session: readBy(idsOf('sdk_sessions', 'project_id'), (ids) =>
      sessions.byIds(ids).map((session) => ({
        ...sessionRecord(session),
        project: keyOf(session.projectId),
        toolUses: toolUses(session.id),
      })),
    ),
    prompt: readBy(idsOf('user_prompts', 'project_id'), (ids) => {
      type Row = { uid: string; sessionId: number; projectId: number; promptNumber: number };
      type Prompt = Row &
        Pick<
          ImportedPrompt,
          'promptId' | 'promptText' | 'createdAtEpoch' | 'agentReply' | 'branch' | 'headCommit'
        >;
      return withPlace(promptRows.all(JSON.stringify(ids)) as Prompt[]).map((row) => ({
        kind: 'prompt',
        ...row,
      }));
    }),
    summary: readBy(idsOf('session_summaries', 'project_id'), (ids) =>
      withPlace(summaries.byIds(ids)).map(({ id: _, ...row }) => ({ kind: 'summary', ...row })),
    ),
    observation: readBy(idsOf('observations', 'project_id'), (ids) =>
      withPlace(observations.byIds(ids).map(withConversationHash)).map(
        ({ id, contentHash: _, supersededBy, ...row }) => ({
          ...row,
          supersededBy:
            supersededBy === null ? null : ((uidOf.get(supersededBy) as string | undefined) ?? null),
          supersedes: supersedes.all(id) as string[],
          fileStates: freshness.filesOf(id),
        }),
      ),
    ),
  };

  return ({ cursor, limit, projectIds }) => {
    const start = cursor === null ? { kind: KINDS[0], afterId: 0 } : parseCursor(cursor);
    const wanted = Math.min(Math.max(Math.trunc(limit) || 0, 1), MAX_LIMIT);
    const records: ImportedRecord[] = [];
    for (let at = KINDS.indexOf(start.kind), { afterId } = start; at < KINDS.length;) {
      const kind = KINDS[at] as Kind;
      const page = read[kind]({ afterId, limit: wanted - records.length, ...(projectIds && { projectIds }) });
      afterId = page?.lastId ?? 0;
      if (page === null) at += 1;
      else records.push(...page.records);
      if (records.length === wanted) return { records, nextCursor: `${kind}-${afterId}` };
    }
    return { records, nextCursor: null };
  };
}

type Repository = { remoteHash: string | null; rootCommit: string };

function projectRecord(project: Project | null, repository: Repository | undefined): ImportedRecord[] {
  if (project === null) return [];
  const { key, name, createdAtEpoch } = project;
  return [{ kind: 'project', project: key, name, createdAtEpoch, repository: repository ?? null }];
}

function sessionRecord(session: Session) {
  const { uid, host, contentSessionId, promptCounter, cwd, title, userPrompt, status } = session;
  const { createdAtEpoch, lastActivityEpoch, completedAtEpoch } = session;
  const times = { createdAtEpoch, lastActivityEpoch, completedAtEpoch };
  const texts = { cwd, title, userPrompt, status };
  return {
    kind: 'session' as const,
    uid,
    host,
    session: contentSessionId,
    promptNumber: promptCounter,
    ...texts,
    ...times,
  };
}

function parseCursor(cursor: string): { kind: Kind; afterId: number } {
  const [, kind, id] = /^([a-z]+)-(\d{1,15})$/.exec(cursor) ?? [];
  const known = KINDS.find((one) => one === kind);
  if (known === undefined)
    throw new StorageError('storage/refused', 'The cursor is not one that was returned.');
  return { kind: known, afterId: Number(id) };
}
