export { HOOK_ENVELOPE_TYPE, JSON_LINES_TYPE, WORKER_TOKEN_HEADER } from './headers.js';
export type { Route, RouteAuth } from './route.js';
export { ROUTES, type RouteName, type Routes } from './routes.js';
export { readInput, type InputReading } from './read-input.js';
export { toTransferRecord } from './transfer-record.js';
export type { StreamEvent } from './stream-event.js';
export {
  createWorkerClient,
  type RouteInput,
  type RouteReply,
  type WorkerClient,
  type WorkerRequest,
} from './worker-client.js';
export { WorkerClientError, type WorkerClientErrorCode } from './worker-client-error.js';
export { ErrorReply, ListQuery } from './schemas/common.js';
export { CaptureReply, SessionInit, SessionObservation, SessionSummarize } from './schemas/capture.js';
export { ContextQuery, ContextFilesReply, ContextReply } from './schemas/context.js';
export {
  ObservationDetailRecord,
  ProjectDetail,
  SessionDetail,
  type ObservationDetail,
  type ProjectRow,
  type SessionRow,
} from './schemas/details.js';
export { Facets, FEED_KINDS, type FeedKind } from './schemas/facets.js';
export { FacetsQuery, FeedQuery, FeedReply, type FeedItem } from './schemas/feed.js';
export { Health, HealthDetail, HealthProblem, PROBLEM_PAGES, PublicHealth } from './schemas/health.js';
export {
  DeleteReply,
  ForgetReply,
  ForgetRequest,
  ObservationChange,
  RememberReply,
  RememberRequest,
  UndoableForget,
  UndoForgetReply,
} from './schemas/memory.js';
export { MoveProjectReply, MoveProjectRequest } from './schemas/move-project.js';
export {
  LOG_LEVELS,
  LogQuery,
  LogReply,
  QueueSelection,
  SettingsChange,
  SettingsReply,
} from './schemas/administration.js';
export {
  ObservationRecord,
  ProjectRecord,
  PromptRecord,
  QueueCountsRecord,
  QueueItemRecord,
  SessionRecord,
  StatsRecord,
  SummaryRecord,
  type QueueItem,
} from './schemas/records.js';
export {
  ImportReply,
  ImportRequest,
  IndexState,
  MAX_IMPORT,
  MAX_OFFSET,
  SEARCH_KINDS,
  SearchQuery,
  SearchReply,
  TimelineQuery,
  TimelineReply,
  type FoundItem,
  type SearchKind,
  type TimelineItem,
} from './schemas/search.js';
export { HoldoutReply, ReplayReply, SessionInjections, type ReplayedPrompt } from './schemas/replay.js';
export { TransferRecord } from './schemas/transfer.js';
export { UsageQuery, UsageReply } from './schemas/usage.js';
