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
      'Liveness and readiness; 200 as long as the process lives. Over TCP without the token only status and ready.',
    reply: Health,
  },
  healthDetail: {
    method: 'GET',
    path: '/api/health',
    auth: 'token',
    description: 'The same with addresses, spool, observer and capture counters.',
    reply: HealthDetail,
  },
  hook: {
    method: 'POST',
    path: '/api/hooks/:host/:event',
    auth: 'token',
    description:
      'A raw hook payload (JSON, or the envelope of hook.sh). Answers, once committed, with the exact stdout for the host; also for input it cannot use. 503 with Retry-After while not ready.',
    params: Type.Object({ host: Type.String(), event: Type.String() }),
    reply: 'text',
  },
  initSession: {
    method: 'POST',
    path: '/api/sessions/init',
    auth: 'token',
    description: 'Normalised event: a session begins or goes on; with a prompt, a turn begins.',
    body: SessionInit,
    reply: CaptureReply,
  },
  recordToolUse: {
    method: 'POST',
    path: '/api/sessions/observations',
    auth: 'token',
    description: 'Normalised event: a tool was used.',
    body: SessionObservation,
    reply: CaptureReply,
  },
  summarizeSession: {
    method: 'POST',
    path: '/api/sessions/summarize',
    auth: 'token',
    description: 'Normalised event: a turn is over.',
    body: SessionSummarize,
    reply: CaptureReply,
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    auth: 'token',
    description: 'Sessions, newest first; with host and contentSessionId the one session of that id.',
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
    description: 'One session.',
    params: IdParams,
    reply: SessionRecord,
  },
  sessionDetail: {
    method: 'GET',
    path: '/api/sessions/:id/detail',
    auth: 'token',
    description:
      'One session: how much it holds, which tools were used, what its observer cost, what waits. Its records: /api/feed with session.',
    params: IdParams,
    reply: SessionDetail,
  },
  holdoutSessions: {
    method: 'GET',
    path: '/api/holdout',
    auth: 'token',
    description: 'Sessions that began while the holdout was on, with and without injections.',
    query: HoldoutQuery,
    reply: HoldoutReply,
  },
  sessionInjections: {
    method: 'GET',
    path: '/api/sessions/:id/injections',
    auth: 'token',
    description:
      'What was injected into a session, and which of the named files and identifiers it used afterwards.',
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
    description: 'What of a session is still waiting for the observer.',
    params: IdParams,
    reply: Type.Object({
      sessionId: RowId,
      status: Type.String(),
      isProcessing: Type.Boolean({ description: 'True while messages wait or are worked on' }),
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
      'Observations, newest first, or those of `ids` (comma separated). Takes the filters of a search.',
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
    description: 'One observation, where it came from, and what it superseded.',
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
      'Forgets observations for good, or all of a session or project; it does not come back by a late reply, a repeated event or an import. With undoSeconds it can be undone for a while.',
    body: ForgetRequest,
    reply: ForgetReply,
  },
  undoForget: {
    method: 'POST',
    path: '/api/memory/forget/:id/undo',
    auth: 'admin',
    description: 'Puts back what was forgotten with undoSeconds, as it was, as long as it is not final.',
    params: IdParams,
    reply: UndoForgetReply,
  },
  listForgotten: {
    method: 'GET',
    path: '/api/memory/forgotten',
    auth: 'admin',
    description: 'What was forgotten and can still be undone, newest first.',
    reply: pageOf(UndoableForget),
  },
  listStale: {
    method: 'GET',
    path: '/api/stale',
    auth: 'token',
    description:
      'Observations whose files were changed, moved or deleted since, newest first, as far as that is known for what is checked out.',
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
    description: 'Summaries, newest first.',
    query: ListQuery,
    reply: pageOf(SummaryRecord),
  },
  listPrompts: {
    method: 'GET',
    path: '/api/prompts',
    auth: 'token',
    description: 'What users typed, newest first.',
    query: ListQuery,
    reply: pageOf(PromptRecord),
  },
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    auth: 'token',
    description: 'Projects with how much they hold, and observations by day.',
    query: ProjectsQuery,
    reply: pageOf(ProjectRowRecord),
  },
  moveProject: {
    method: 'POST',
    path: '/api/projects/move',
    auth: 'admin',
    description:
      'Gives all records of a project to another folder, for example after the folder was moved or renamed.',
    body: MoveProjectRequest,
    reply: MoveProjectReply,
  },
  projectDetail: {
    method: 'GET',
    path: '/api/projects/:id',
    auth: 'token',
    description: 'One project: what happened when, most touched files, open next steps, latest sessions.',
    params: IdParams,
    query: ProjectDetailQuery,
    reply: ProjectDetail,
  },
  stats: {
    method: 'GET',
    path: '/api/stats',
    auth: 'token',
    description: 'Counts, size, and how every event left the queue.',
    reply: StatsRecord,
  },
  usage: {
    method: 'GET',
    path: '/api/usage',
    auth: 'token',
    description:
      "What the observer's calls cost, by day (default), day and model, session, provider and model, or in total, and what is left of today's budget; money is an estimate.",
    query: UsageQuery,
    reply: UsageReply,
  },
  feed: {
    method: 'GET',
    path: '/api/feed',
    auth: 'token',
    description:
      'Observations, summaries and prompts in the order of time, newest first. Pages neither skip nor repeat what was there, whatever is added or forgotten meanwhile.',
    query: FeedQuery,
    reply: FeedReply,
  },
  facets: {
    method: 'GET',
    path: '/api/facets',
    auth: 'token',
    description:
      'What the records that pass the filters of a feed can be narrowed to, and how many there are.',
    query: FacetsQuery,
    reply: Facets,
  },
  search: {
    method: 'GET',
    path: '/api/search',
    auth: 'token',
    description:
      'Observations, sessions or prompts by words, meaning, files and filters, best first; without a query the newest that pass the filters.',
    query: SearchQuery,
    reply: SearchReply,
  },
  timeline: {
    method: 'GET',
    path: '/api/timeline',
    auth: 'token',
    description: 'Observations, summaries and prompts around a record, a time, or the best hit for a query.',
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
      'All records as they can be imported elsewhere: projects, sessions, prompts, summaries and observations, each oldest first.',
    query: ExportQuery,
    reply: pageOf(TransferRecord),
  },
  indexState: {
    method: 'GET',
    path: '/api/reindex',
    auth: 'token',
    description: 'How far the indexes are.',
    reply: IndexState,
  },
  reindex: {
    method: 'POST',
    path: '/api/reindex',
    auth: 'admin',
    description: 'Builds the indexes anew in the background; search goes on meanwhile.',
    body: ReindexRequest,
    reply: IndexState,
  },
  previewContext: {
    method: 'GET',
    path: '/api/context',
    auth: 'token',
    description: 'The context a session started in `cwd` would get, and what was left out of it.',
    query: ContextQuery,
    reply: ContextReply,
  },
  listContextFiles: {
    method: 'GET',
    path: '/api/context/files',
    auth: 'token',
    description: 'What is kept in files of the project of `cwd`.',
    query: Type.Object({ cwd: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    reply: ContextFilesReply,
  },
  changeContextFiles: {
    method: 'POST',
    path: '/api/context/files',
    auth: 'admin',
    description: 'Takes what is kept out of the files of a project, and keeps it out, or has it again.',
    body: ContextFilesRequest,
    reply: ContextFilesReply,
  },
  listQueue: {
    method: 'GET',
    path: '/api/queue',
    auth: 'token',
    description: 'Pending messages in the order of their ids.',
    query: Type.Object({
      status: Type.Optional(oneOf(PENDING_STATUSES)),
      sessionId: Type.Optional(RowId),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      cursor: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,15}$', description: 'nextCursor of the page before' }),
      ),
    }),
    reply: pageOf(QueueItemRecord),
  },
  retryMessages: {
    method: 'POST',
    path: '/api/queue/retry',
    auth: 'admin',
    description: 'Parked messages go back to the queue with no attempts.',
    body: QueueSelection,
    reply: Changed,
  },
  dropMessages: {
    method: 'POST',
    path: '/api/queue/drop',
    auth: 'admin',
    description: 'Deletes messages that are not being worked on; recorded as dropped.',
    body: QueueSelection,
    reply: Changed,
  },
  getSettings: {
    method: 'GET',
    path: '/api/settings',
    auth: 'admin',
    description: 'Every setting with its source; secrets masked.',
    reply: SettingsReply,
  },
  changeSettings: {
    method: 'POST',
    path: '/api/settings',
    auth: 'admin',
    description:
      'Writes settings to the file, all or none. Paths of programs, base URLs and the data folder are refused; details.problems names each key that is.',
    body: SettingsChange,
    reply: Type.Object({
      changed: Type.Array(Type.String()),
      needsRestart: Type.Boolean({ description: 'True when a change only works after a restart' }),
    }),
  },
  logs: {
    method: 'GET',
    path: '/api/logs',
    auth: 'admin',
    description:
      "A day's log from its end, however long it is. A page may be short: nextCursor says whether it goes on.",
    query: LogQuery,
    reply: LogReply,
  },
  stream: {
    method: 'GET',
    path: '/stream',
    auth: 'token',
    description:
      'Server-sent events; resumes after Last-Event-ID, or lastEventId where the header cannot be sent.',
    query: Type.Object({ lastEventId: Type.Optional(Type.String({ maxLength: 200 })) }),
    reply: 'stream',
  },
  createSignIn: {
    method: 'POST',
    path: '/api/sign-in-codes',
    auth: 'admin',
    description:
      'An address that signs one browser in to the viewer, once; only for programs with the token.',
    reply: Type.Object({ url: Type.String(), expiresAtEpoch: Count }),
  },
  signOut: {
    method: 'POST',
    path: '/api/sign-out',
    auth: 'token',
    description: 'Takes the cookie of the viewer from the browser that asks. Other browsers keep theirs.',
    reply: Type.Object({ signedOut: Type.Literal(true) }),
  },
  shutdown: {
    method: 'POST',
    path: '/api/shutdown',
    auth: 'admin',
    description: 'Ends the worker cleanly.',
    reply: Type.Object({ stopping: Type.Literal(true), version: Type.String(), pid: Type.Integer() }),
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;
