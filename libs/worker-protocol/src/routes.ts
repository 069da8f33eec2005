import { PENDING_STATUSES } from '@claude-mem/core';
import * as Type from 'typebox';
import type { Route } from './route.js';
import {
  LogQuery,
  LogReply,
  QueueSelection,
  SettingsChange,
  SettingsReply,
} from './schemas/administration.js';
import { CaptureReply, SessionInit, SessionObservation, SessionSummarize } from './schemas/capture.js';
import { ContextFilesReply, ContextFilesRequest, ContextQuery, ContextReply } from './schemas/context.js';
import { IdParams, ListQuery, oneOf, pageOf, RowId } from './schemas/common.js';
import {
  ObservationDetailRecord,
  ProjectDetail,
  ProjectDetailQuery,
  ProjectRowRecord,
  ProjectsQuery,
  SessionDetail,
  SessionRowRecord,
} from './schemas/details.js';
import { Facets } from './schemas/facets.js';
import { FacetsQuery, FeedQuery, FeedReply } from './schemas/feed.js';
import { Health, HealthDetail } from './schemas/health.js';
import {
  DeleteReply,
  EditReply,
  ForgetReply,
  ForgetRequest,
  ObservationChange,
  RememberReply,
  RememberRequest,
  UndoableForget,
  UndoForgetReply,
} from './schemas/memory.js';
import { MoveProjectReply, MoveProjectRequest } from './schemas/move-project.js';
import {
  ObservationRecord,
  PromptRecord,
  QueueItemRecord,
  SessionRecord,
  StatsRecord,
  SummaryRecord,
} from './schemas/records.js';
import { HoldoutQuery, HoldoutReply, ReplayQuery, ReplayReply, SessionInjections } from './schemas/replay.js';
import {
  ExportQuery,
  filterFields,
  ImportReply,
  ImportRequest,
  IndexState,
  ReindexRequest,
  SearchQuery,
  SearchReply,
  TimelineQuery,
  TimelineReply,
} from './schemas/search.js';
import { TransferRecord } from './schemas/transfer.js';
import { UsageQuery, UsageReply } from './schemas/usage.js';

const Changed = Type.Object({ changed: Type.Integer({ minimum: 0 }) });
const Count = Type.Integer({ minimum: 0 });
const ID_LIST = '^ *#?[0-9]{1,15} *(, *#?[0-9]{1,15} *){0,499}$';

/**
 * All routes of the worker with their input, response and permission. The API reference is generated from this table.
 */
export const ROUTES = {
  health: {
    method: 'GET',
    path: '/health',
    auth: 'open',
    description:
      'Returns liveness and readiness, with status 200 while the process runs. Over TCP without the token, returns only status and ready.',
    reply: Health,
  },
  healthDetail: {
    method: 'GET',
    path: '/api/health',
    auth: 'token',
    description: 'Returns the health with addresses, spool, observer and capture counters.',
    reply: HealthDetail,
  },
  hook: {
    method: 'POST',
    path: '/api/hooks/:host/:event',
    auth: 'token',
    description:
      'Takes the payload of a hook (JSON, or the envelope of hook.sh). Returns the stdout for the host after the event is committed, also for invalid payloads. Returns 503 with Retry-After while the worker is not ready.',
    params: Type.Object({ host: Type.String(), event: Type.String() }),
    reply: 'text',
  },
  initSession: {
    method: 'POST',
    path: '/api/sessions/init',
    auth: 'token',
    description: 'Stores a normalized event: a session begins or continues. With a prompt, a turn begins.',
    body: SessionInit,
    reply: CaptureReply,
  },
  recordToolUse: {
    method: 'POST',
    path: '/api/sessions/observations',
    auth: 'token',
    description: 'Stores a normalized event: a tool was used.',
    body: SessionObservation,
    reply: CaptureReply,
  },
  summarizeSession: {
    method: 'POST',
    path: '/api/sessions/summarize',
    auth: 'token',
    description: 'Stores a normalized event: a turn ended.',
    body: SessionSummarize,
    reply: CaptureReply,
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    auth: 'token',
    description: 'Lists sessions, newest first. With host and contentSessionId, returns only this session.',
    query: Type.Interface([ListQuery], {
      project: filterFields.project,
      host: filterFields.host,
      contentSessionId: Type.Optional(Type.String()),
    }),
    reply: pageOf(SessionRowRecord),
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:id',
    auth: 'token',
    description: 'Returns a session.',
    params: IdParams,
    reply: SessionRecord,
  },
  sessionDetail: {
    method: 'GET',
    path: '/api/sessions/:id/detail',
    auth: 'token',
    description:
      'Returns the counts, the tools, the observer cost and the pending messages of a session. /api/feed with session lists its records.',
    params: IdParams,
    reply: SessionDetail,
  },
  holdoutSessions: {
    method: 'GET',
    path: '/api/holdout',
    auth: 'token',
    description: 'Lists the sessions that began while the holdout was on, with and without injections.',
    query: HoldoutQuery,
    reply: HoldoutReply,
  },
  sessionInjections: {
    method: 'GET',
    path: '/api/sessions/:id/injections',
    auth: 'token',
    description:
      'Returns the text that was injected into a session, and the named files and identifiers that the session used afterwards.',
    params: IdParams,
    reply: SessionInjections,
  },
  replaySession: {
    method: 'GET',
    path: '/api/sessions/:id/replay',
    auth: 'token',
    description:
      'Repeats the recall of each prompt of a session with the records that were stored before that prompt, and lists the names that its turn used. Stores nothing.',
    params: IdParams,
    query: ReplayQuery,
    reply: ReplayReply,
  },
  getSessionStatus: {
    method: 'GET',
    path: '/api/sessions/:id/status',
    auth: 'token',
    description: 'Returns the messages of a session that wait for the observer.',
    params: IdParams,
    reply: Type.Object({
      sessionId: RowId,
      status: Type.String(),
      isProcessing: Type.Boolean({ description: 'True while messages are pending or being processed' }),
      pending: Count,
      processing: Count,
      parked: Count,
      lastActivityEpoch: Count,
    }),
  },
  abortSession: {
    method: 'DELETE',
    path: '/api/sessions/:id',
    auth: 'admin',
    description: 'Ends a session. Drops its open messages and records them as dropped.',
    params: IdParams,
    reply: Changed,
  },
  listObservations: {
    method: 'GET',
    path: '/api/observations',
    auth: 'token',
    description:
      'Lists observations, newest first, or those of `ids` (separated by commas). Accepts the filters of a search.',
    query: Type.Interface([ListQuery], {
      ...filterFields,
      ids: Type.Optional(Type.String({ pattern: ID_LIST })),
    }),
    reply: pageOf(ObservationRecord),
  },
  getObservation: {
    method: 'GET',
    path: '/api/observations/:id',
    auth: 'token',
    description: 'Returns an observation, its origin, and the observations that it superseded.',
    params: IdParams,
    reply: ObservationDetailRecord,
  },
  editObservation: {
    method: 'PATCH',
    path: '/api/observations/:id',
    auth: 'admin',
    description: 'Changes an observation, pins it, or sets its successor. Returns the changed observation.',
    params: IdParams,
    body: ObservationChange,
    reply: EditReply,
  },
  deleteObservation: {
    method: 'DELETE',
    path: '/api/observations/:id',
    auth: 'admin',
    description:
      'Deletes an observation permanently, also from every index. Does not wait until the database file is overwritten.',
    params: IdParams,
    reply: DeleteReply,
  },
  remember: {
    method: 'POST',
    path: '/api/memory',
    auth: 'admin',
    description: 'Saves an observation manually. Removes secrets from its text.',
    body: RememberRequest,
    reply: RememberReply,
  },
  forget: {
    method: 'POST',
    path: '/api/memory/forget',
    auth: 'admin',
    description:
      'Deletes observations, or all records of a session or project. A late reply, a repeated event or an import does not restore them. With undoSeconds, the deletion can be undone for this time.',
    body: ForgetRequest,
    reply: ForgetReply,
  },
  undoForget: {
    method: 'POST',
    path: '/api/memory/forget/:id/undo',
    auth: 'admin',
    description: 'Restores the records of a deletion with undoSeconds, until it is final.',
    params: IdParams,
    reply: UndoForgetReply,
  },
  listForgotten: {
    method: 'GET',
    path: '/api/memory/forgotten',
    auth: 'admin',
    description: 'Lists deletions that can be undone, newest first.',
    reply: pageOf(UndoableForget),
  },
  listStale: {
    method: 'GET',
    path: '/api/stale',
    auth: 'token',
    description:
      'Lists observations whose files were changed, moved or deleted since, newest first, as far as this is known for the current checkout.',
    query: Type.Object({
      project: Type.Optional(Type.String({ maxLength: 4_096, description: 'Name or key' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    }),
    reply: Type.Object({
      items: Type.Array(Type.Object({ project: Type.String(), item: ObservationRecord })),
    }),
  },
  listSummaries: {
    method: 'GET',
    path: '/api/summaries',
    auth: 'token',
    description: 'Lists summaries, newest first.',
    query: ListQuery,
    reply: pageOf(SummaryRecord),
  },
  listPrompts: {
    method: 'GET',
    path: '/api/prompts',
    auth: 'token',
    description: 'Lists prompts, newest first.',
    query: ListQuery,
    reply: pageOf(PromptRecord),
  },
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    auth: 'token',
    description: 'Lists projects with their counts and their observations by day.',
    query: ProjectsQuery,
    reply: pageOf(ProjectRowRecord),
  },
  moveProject: {
    method: 'POST',
    path: '/api/projects/move',
    auth: 'admin',
    description:
      'Moves all records of a project to another folder, for example after the folder was moved or renamed.',
    body: MoveProjectRequest,
    reply: MoveProjectReply,
  },
  projectDetail: {
    method: 'GET',
    path: '/api/projects/:id',
    auth: 'token',
    description:
      'Returns the activity, the most used files, the open next steps and the latest sessions of a project.',
    params: IdParams,
    query: ProjectDetailQuery,
    reply: ProjectDetail,
  },
  stats: {
    method: 'GET',
    path: '/api/stats',
    auth: 'token',
    description: 'Returns counts, sizes, and the outcomes of all events.',
    reply: StatsRecord,
  },
  usage: {
    method: 'GET',
    path: '/api/usage',
    auth: 'token',
    description:
      'Returns the cost of the observer by day (default), day and model, session, provider and model, or in total, and the remaining budget of today. Amounts of money are estimates.',
    query: UsageQuery,
    reply: UsageReply,
  },
  feed: {
    method: 'GET',
    path: '/api/feed',
    auth: 'token',
    description:
      'Lists observations, summaries and prompts, newest first. Pages neither skip nor repeat a record when records are added or deleted meanwhile.',
    query: FeedQuery,
    reply: FeedReply,
  },
  facets: {
    method: 'GET',
    path: '/api/facets',
    auth: 'token',
    description: 'Returns the possible filter values of the matching records of a feed, with counts.',
    query: FacetsQuery,
    reply: Facets,
  },
  search: {
    method: 'GET',
    path: '/api/search',
    auth: 'token',
    description:
      'Searches observations, sessions or prompts by words, meaning, files and filters, best first. Without a query, returns the newest matching records.',
    query: SearchQuery,
    reply: SearchReply,
  },
  timeline: {
    method: 'GET',
    path: '/api/timeline',
    auth: 'token',
    description:
      'Returns observations, summaries and prompts before and after a record, a time, or the best result of a query.',
    query: TimelineQuery,
    reply: TimelineReply,
  },
  importRecords: {
    method: 'POST',
    path: '/api/import',
    auth: 'admin',
    description:
      'Stores records: a JSON array, or lines of JSONL as application/x-ndjson. A record with a known uid is skipped, and a deleted record stays deleted. The reply lists invalid records; the other records are stored.',
    body: ImportRequest,
    reply: ImportReply,
  },
  exportRecords: {
    method: 'GET',
    path: '/api/export',
    auth: 'token',
    description:
      'Exports all records in the import format: projects, sessions, prompts, summaries and observations, each oldest first.',
    query: ExportQuery,
    reply: pageOf(TransferRecord),
  },
  indexState: {
    method: 'GET',
    path: '/api/reindex',
    auth: 'token',
    description: 'Returns the progress of the search indexes.',
    reply: IndexState,
  },
  reindex: {
    method: 'POST',
    path: '/api/reindex',
    auth: 'admin',
    description: 'Rebuilds the search indexes in the background. Search works meanwhile.',
    body: ReindexRequest,
    reply: IndexState,
  },
  previewContext: {
    method: 'GET',
    path: '/api/context',
    auth: 'token',
    description: 'Returns the context of a session that starts in `cwd`, and the skipped records.',
    query: ContextQuery,
    reply: ContextReply,
  },
  listContextFiles: {
    method: 'GET',
    path: '/api/context/files',
    auth: 'token',
    description: 'Returns the state of the context files of the project of `cwd`.',
    query: Type.Object({ cwd: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    reply: ContextFilesReply,
  },
  changeContextFiles: {
    method: 'POST',
    path: '/api/context/files',
    auth: 'admin',
    description: 'Removes the blocks from the context files of a project permanently, or restores them.',
    body: ContextFilesRequest,
    reply: ContextFilesReply,
  },
  listQueue: {
    method: 'GET',
    path: '/api/queue',
    auth: 'token',
    description: 'Lists pending messages in the order of their ids.',
    query: Type.Object({
      status: Type.Optional(oneOf(PENDING_STATUSES)),
      sessionId: Type.Optional(RowId),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      cursor: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,15}$', description: 'nextCursor of the previous page' }),
      ),
    }),
    reply: pageOf(QueueItemRecord),
  },
  retryMessages: {
    method: 'POST',
    path: '/api/queue/retry',
    auth: 'admin',
    description: 'Returns parked messages to the queue and resets their attempts.',
    body: QueueSelection,
    reply: Changed,
  },
  dropMessages: {
    method: 'POST',
    path: '/api/queue/drop',
    auth: 'admin',
    description: 'Deletes messages that are not being processed, and records them as dropped.',
    body: QueueSelection,
    reply: Changed,
  },
  getSettings: {
    method: 'GET',
    path: '/api/settings',
    auth: 'admin',
    description: 'Lists all settings with their sources. Secrets are masked.',
    reply: SettingsReply,
  },
  changeSettings: {
    method: 'POST',
    path: '/api/settings',
    auth: 'admin',
    description:
      'Writes settings to the file, all or none. Rejects paths of programs, base URLs and the data directory. details.problems contains the problem of each rejected key.',
    body: SettingsChange,
    reply: Type.Object({
      changed: Type.Array(Type.String()),
      needsRestart: Type.Boolean({ description: 'True when a change needs a restart' }),
    }),
  },
  logs: {
    method: 'GET',
    path: '/api/logs',
    auth: 'admin',
    description:
      'Returns the log of a day from its end. A page can be short. nextCursor is null on the last page.',
    query: LogQuery,
    reply: LogReply,
  },
  stream: {
    method: 'GET',
    path: '/stream',
    auth: 'token',
    description:
      'Sends server-sent events. Resumes after Last-Event-ID, or after lastEventId when the client cannot send the header.',
    query: Type.Object({ lastEventId: Type.Optional(Type.String({ maxLength: 200 })) }),
    reply: 'stream',
  },
  createSignIn: {
    method: 'POST',
    path: '/api/sign-in-codes',
    auth: 'admin',
    description:
      'Creates an address that signs one browser in to the viewer, once. Only for programs with the token.',
    reply: Type.Object({ url: Type.String(), expiresAtEpoch: Count }),
  },
  signOut: {
    method: 'POST',
    path: '/api/sign-out',
    auth: 'token',
    description: 'Removes the viewer cookie of this browser. Other browsers stay signed in.',
    reply: Type.Object({ signedOut: Type.Literal(true) }),
  },
  shutdown: {
    method: 'POST',
    path: '/api/shutdown',
    auth: 'admin',
    description: 'Stops the worker.',
    reply: Type.Object({ stopping: Type.Literal(true), version: Type.String(), pid: Type.Integer() }),
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;
