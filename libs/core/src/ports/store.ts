import type { CheckoutHead, FileState } from '../file-state.js';
import type { Freshness } from '../freshness.js';
import type { HostEvent } from '../host-event.js';
import type { Injection, RecordedInjection } from '../injection.js';
import type { Observation, ObservationDraft } from '../observation.js';
import type { MessageOutcome } from '../pending-message.js';
import type { ConversationTurn, HostName, Project, ProjectRef, Session, UserPrompt } from '../session.js';
import type { Summary, SummaryDraft } from '../summary.js';
import type { RepositoryIdentity } from '../repository-identity.js';
import type { ImportedRecord, ImportOptions, ImportResult } from '../transfer.js';

/** A host event after scrubbing, with the data that capture adds. */
export interface CaptureFields {
  /** Unique per session, permanently, even after the message has left the queue. Equal keys mean the same event. */
  dedupeKey: string;
  occurredAtEpoch: number;
  /** Null when the event contained no folder. The session keeps its project or gets the neutral one. */
  project: ProjectRef | null;
  /** Why the event is only counted and not queued. Null for a queued event. */
  filterReason: string | null;
  /**
   * True for a tool use without a result of its own, such as a listing. It does not count against the batch size.
   * @default false
   */
  isEvidence?: boolean;
  /** The branch and commit that were checked out when a prompt was sent. @default null */
  head?: CheckoutHead | null;
  /** Share of sessions without injections, for a session that begins with this event. @default 0 */
  holdoutShare?: number;
}

export type CapturedEvent = HostEvent & CaptureFields;

/** `stored`: committed now. `duplicate`: was stored before. `filtered`: only counted. */
export interface CaptureResult {
  kind: 'stored' | 'duplicate' | 'filtered';
  sessionId: number;
  projectId: number;
  promptNumber: number;
  /** The stored prompt, for a prompt event. */
  prompt?: UserPrompt;
}

/** The cost of calls to a model. */
export interface CallUsage {
  /** All input tokens, including cached ones. */
  inputTokens: number;
  outputTokens: number;
  /** The part of `inputTokens` that was read from the vendor's cache. */
  cachedTokens: number;
  estimatedCostUsd: number;
}

/** Budgets of the observer. 0 means no limit. Tokens are input and output together. */
export interface UsageLimits {
  dayCalls: number;
  dayTokens: number;
  dayUsd: number;
  sessionTokens: number;
}

export type UsageLimit = keyof UsageLimits;

/**
 * `over`: nothing was reserved. `spent` includes running calls at their estimate. `freeAtEpoch` is the time at which
 * a call may be possible again: soon when only running calls exceed the budget, or the next day. Null when only a
 * change of the settings helps.
 */
export type UsageDecision =
  | { kind: 'reserved'; callId: number }
  | { kind: 'over'; limit: UsageLimit; spent: number; allowed: number; freeAtEpoch: number | null };

/** One row of the usage. Fields outside of the grouping are null. */
export interface UsageRow extends CallUsage {
  /** `YYYY-MM-DD` in local time. */
  day: string | null;
  sessionId: number | null;
  provider: string | null;
  model: string | null;
  /** Calls with an answer or an unknown result. */
  calls: number;
  /** Calls that were refused or interrupted. */
  failedCalls: number;
}

/** The decisions of a session so far, and the ids of records of the project that they replace. */
export interface ConversationRecordDraft {
  /** Null when the session decided nothing. A record that was stored earlier in the session is then deleted. */
  draft: ObservationDraft | null;
  /** Skips records that only the user may supersede, superseded records, and records of other projects. */
  supersedes: readonly number[];
}

/** The observer's reply to one batch, stored with the deletion of its messages in one transaction. */
export interface CommitReply {
  sessionId: number;
  promptNumber: number;
  observations: readonly (ObservationDraft & {
    agentId?: string | null;
    agentType?: string | null;
    discoveryTokens?: number;
    /** @default null: unknown */
    fileStates?: readonly FileState[];
  })[];
  summary: SummaryDraft | null;
  /**
   * The one observation of the session that is updated while the session continues. It does not change after the user
   * edited or deleted it, or after another record superseded it. When it is written, messages with the outcome
   * `empty` get the outcome `stored`. @default null: the observation stays unchanged
   */
  conversationRecord?: ConversationRecordDraft | null;
  confirm: readonly { id: number; outcome: MessageOutcome; reason?: string }[];
  provider: string;
  model: string | null;
  /** The provider's conversation for a resume. Null when there is none. Omitted: unchanged. */
  memorySessionId?: string | null;
  /**
   * The cost of the call and its reservation, settled in the same transaction, even when the messages are gone. A
   * settled reservation stays unchanged.
   */
  usage?: CallUsage & { callId: number };
  now: number;
}

export interface CommittedReply {
  /**
   * Only new rows, without repetitions in the session. With a conversation record, also that record if it changed,
   * and the records that it superseded: their `updatedAtEpoch` is larger than their `createdAtEpoch`.
   */
  observations: readonly Observation[];
  summary: Summary | null;
  /** Id of the conversation record that was deleted, because the session decided nothing. @default none */
  withdrawnId?: number;
}

export interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

export interface ListOptions {
  projectId?: number;
  sessionId?: number;
  /** @default 50, at most 500 */
  limit?: number;
  cursor?: string;
}

export interface ObservationFilter extends ListOptions {
  ids?: readonly number[];
  type?: string;
}

export interface SessionFilter extends ListOptions {
  /** Any of these. */
  projectIds?: readonly number[];
  /** Any of these. */
  hosts?: readonly HostName[];
}

/** A record that the user, or an agent for the user, saves. */
export interface RememberRequest {
  draft: ObservationDraft;
  /** Null: the project of the session, or the neutral one. */
  project: ProjectRef | null;
  /** The host, and its conversation if known. Null for a user outside of a session. */
  session: { host: HostName; contentSessionId: string | null } | null;
  /** @default manual */
  source?: 'manual' | 'agent';
  pinned: boolean;
  /** The records of the project that it supersedes. */
  supersedes: readonly number[];
  now: number;
}

export interface Remembered {
  observation: Observation;
  /** False when the project already contained this text. Then this is the existing record. */
  isNew: boolean;
  /** The record that had superseded the existing one, and is now superseded by it. Null when there was none. */
  tookBackFrom: number | null;
  /** True when the existing record was pinned by this call. */
  isNewlyPinned: boolean;
}

/** The current record of a session's decisions. */
export interface CurrentConversation {
  sessionId: number;
  /** The conversation record of the session, or its replacement. Null when it was deleted. */
  record: Observation | null;
  /** True when `record` is a conversation record that no person saved or edited. */
  isUnchanged: boolean;
}

/** Omitted fields stay unchanged. */
export type ObservationChange = Partial<ObservationDraft & { pinned: boolean; supersededBy: number | null }>;

/** Deletes all given records. For a session or project, this includes prompts and summaries. */
export interface ForgetRequest {
  /** Ids of observations. */
  ids?: readonly number[];
  sessionIds?: readonly number[];
  projectIds?: readonly number[];
  /** Only counts. @default false */
  dryRun?: boolean;
  /** End of the undo time. @default the deletion is final at once */
  undoUntil?: number;
  /**
   * With `undoUntil`: the `forgetId` of an earlier deletion, with which this one can be undone. Final deletions
   * cannot be extended.
   */
  addTo?: number;
  now: number;
}

export interface ForgetResult {
  observations: number;
  summaries: number;
  prompts: number;
  /**
   * Sessions of which all records were deleted. Their rows stay without text, and are not counted again until a new
   * event arrives.
   */
  sessions: number;
  observationIds: readonly number[];
  sessionIds: readonly number[];
  /** All sessions with deleted records. Their observer conversations must not be continued. */
  observedSessionIds: readonly number[];
  /** The id for an undo. Null when the deletion is final. */
  forgetId: number | null;
}

/** A deletion that can still be undone. */
export interface UndoableForget extends Pick<
  ForgetResult,
  'observations' | 'summaries' | 'prompts' | 'sessions'
> {
  forgetId: number;
  forgottenAtEpoch: number;
  finalAtEpoch: number;
  /** Types of the newest 20 observations. */
  titles: readonly Pick<Observation, 'id' | 'title'>[];
}

/** The restored records. */
export interface UndoneForget extends Pick<
  ForgetResult,
  'observations' | 'summaries' | 'prompts' | 'sessions' | 'observationIds' | 'sessionIds'
> {
  /** Messages that wait for the observer again. */
  messages: number;
  /** Observations that are not restored, because the same text was saved again meanwhile. */
  skipped: number;
  /** False when there are more records to restore. */
  isComplete: boolean;
}

/** The deletions that became final, and the remaining work. */
export interface FinishedForgetting {
  finished: number;
  nextFinalAtEpoch: number | null;
  /** Interrupted undos. */
  undoing: readonly number[];
}

/** A time, or the position of one record in the timeline: by time, then prompt, observation, summary, then id. */
export interface RecordPosition {
  epoch: number;
  kind?: TimelineRecord['kind'];
  id?: number;
}

/** The position of a record in the timeline. */
export type RecordPlace = Required<RecordPosition>;

/** Selects records for several lists in a row. All conditions must match. Bounds are inclusive. */
export interface RecordRange {
  /** @default all */
  kinds?: readonly TimelineRecord['kind'][];
  projectIds?: readonly number[];
  sessionIds?: readonly number[];
  fromEpoch?: number;
  toEpoch?: number;
  order: 'newest' | 'oldest';
  /** Only records after this position. */
  after?: RecordPlace;
  /** At most 1,000. */
  limit: number;
}

/** The number of records of a session. */
export interface SessionCounts {
  sessionId: number;
  prompts: number;
  observations: number;
  summaries: number;
  /** Messages in the queue that are not parked. */
  waiting: number;
}

/** Counts of a session that began while the holdout was on. */
export interface HoldoutSession {
  sessionId: number;
  host: HostName;
  contentSessionId: string;
  /** The folder in which the session began. */
  cwd: string | null;
  /** Share of sessions without injections that was set when the session began. */
  share: number;
  hasInjections: boolean;
  turns: number;
  /** For each file, the number of turns that read it, without the first one. */
  repeatedReads: number;
}

/** Number of uses of a tool in a session, including routine uses that were not queued. */
export interface ToolUseCount {
  tool: string;
  count: number;
  /** Number of failed uses. */
  failed: number;
}

export type TimelineRecord =
  | { kind: 'prompt'; item: UserPrompt }
  | { kind: 'observation'; item: Observation }
  | { kind: 'summary'; item: Summary };

/** The candidates for the context of a session start. */
export interface ContextMaterial {
  /** Newest first. */
  summaries: readonly Summary[];
  pinned: readonly Observation[];
  /** The newest conversation records that are not superseded, newest first. At most 10. */
  decisions: readonly Observation[];
  /** Newest first. */
  observations: readonly Observation[];
  totalObservations: number;
}

export type ListedProject = Project & {
  observations: number;
  sessions: number;
  lastActivityEpoch: number | null;
};

/** The files of an observation when it was stored, and the branch and commit of its prompt. */
export interface ObservationFiles {
  observationId: number;
  files: readonly FileState[];
  /** Null when it is unknown, and outside of git. */
  head: CheckoutHead | null;
}

/**
 * The freshness of an observation in the folder `checkout` at its commit `headCommit`, which is null outside of git.
 */
export interface ObservationFreshness {
  observationId: number;
  checkout: string;
  headCommit: string | null;
  freshness: Freshness;
}

/** A project with its last known repository. */
export type ProjectRepository = ProjectRef & RepositoryIdentity & { id: number };

export interface MoveProjectRequest {
  /** The project to move. */
  id: number;
  /** The project of the target folder. */
  to: ProjectRef;
  /** Whether its records may be merged with those of the target folder, which cannot be undone. */
  merge: boolean;
}

/** `occupied`: nothing changed, because the target folder has records. */
export type MovedProject =
  | { kind: 'moved'; project: Project; from: Project; isMerged: boolean }
  | { kind: 'occupied'; project: Project };

export interface StoreStats {
  projects: number;
  sessions: number;
  prompts: number;
  observations: number;
  summaries: number;
  databaseBytes: number;
  /** Number of recorded outcomes. */
  outcomes: Readonly<Record<MessageOutcome, number>>;
}

/**
 * All source data. Each method is one complete operation in one transaction. When the promise of a write resolves,
 * the write is committed and survives a kill of the process.
 */
export interface Store {
  /**
   * Stores host events in the given order in one transaction. Creates projects and sessions, reopens closed sessions,
   * numbers prompts, and queues tool uses and ends of turns. A new prompt or the end of the session closes a turn
   * that has queued tool uses and no end: the turn is queued as interrupted. Repeated events change nothing.
   */
  capture(events: readonly CapturedEvent[]): Promise<readonly CaptureResult[]>;
  commitReply(reply: CommitReply): Promise<CommittedReply>;

  /**
   * Reserves the maximum cost of a call, unless a budget is exceeded. The check and the reservation are one
   * transaction, so that simultaneous calls exceed a budget by at most one call. Days are local.
   */
  reserveUsage(request: {
    sessionId: number;
    provider: string;
    model: string | null;
    estimate: CallUsage;
    limits: UsageLimits;
    now: number;
  }): Promise<UsageDecision>;
  /**
   * Ends a call without a reply to store. `usage` is its cost, or null to record the estimate. A call without cost
   * was refused and does not count. Does nothing when the call has ended.
   */
  settleUsage(request: { callId: number; usage: CallUsage | null; now: number }): Promise<void>;
  /**
   * Ends calls that a dead process left open, at their estimate. Returns their number. Must be called once, before
   * any reservation.
   */
  recoverUsage(): Promise<number>;
  /**
   * The usage of ended calls, newest day first, then highest cost first. `total` returns one row, `provider` one row
   * per model, `day-model` one row per day, provider and model.
   */
  usage(request: {
    by: 'total' | 'day' | 'day-model' | 'session' | 'provider';
    /** First day, `YYYY-MM-DD`. */
    since?: string;
    sessionId?: number;
    /** @default 100 */
    limit?: number;
  }): Promise<readonly UsageRow[]>;

  getSession(id: number): Promise<Session | null>;
  findSession(key: { host: string; contentSessionId: string }): Promise<Session | null>;
  listSessions(options?: SessionFilter): Promise<Page<Session>>;
  /** In the order of the ids. */
  sessionCounts(ids: readonly number[]): Promise<readonly SessionCounts[]>;
  /** Most used first. Null for a session from before the counts existed. */
  toolUses(sessionId: number): Promise<readonly ToolUseCount[] | null>;
  /** Stores which records were injected into a session. Does nothing for an unknown session. */
  recordInjection(injection: RecordedInjection): Promise<void>;
  /** The share of sessions without injections that was set when the session began. Null for an unknown session. */
  holdoutShare(key: { host: string; contentSessionId: string }): Promise<number | null>;
  /** Ended sessions with prompts that began while the holdout was on, newest first, at most 5,000. */
  holdoutSessions(filter: {
    projectIds?: readonly number[];
    fromEpoch?: number;
  }): Promise<readonly HoldoutSession[]>;
  /** The injections of a session, oldest first, at most 500. */
  listInjections(sessionId: number): Promise<readonly Injection[]>;
  /** Ends a session on request. Drops its open messages with the reason. Returns their number, or null when the session does not exist. */
  abortSession(id: number, request: { now: number; reason: string }): Promise<number | null>;
  /** Marks sessions without activity since that time as interrupted. Returns their number. */
  interruptIdleSessions(request: { inactiveSince: number }): Promise<number>;

  getProject(id: number): Promise<Project | null>;
  findProject(key: string): Promise<Project | null>;
  listProjects(): Promise<readonly ListedProject[]>;
  /** Projects with a known git repository. */
  listRepositories(): Promise<readonly ProjectRepository[]>;
  /** Replaces the stored git repository of a project. Does nothing for an unknown project. */
  setRepository(projectId: number, repository: RepositoryIdentity): Promise<void>;
  /**
   * Moves all records of a project to another folder. Rejects for an unknown project and for records without a
   * project.
   */
  moveProject(request: MoveProjectRequest): Promise<MovedProject>;
  /** The number of records of a project. */
  projectCounts(id: number): Promise<{ prompts: number; summaries: number }>;

  /**
   * The user's text of a turn: its prompt, and text that was added while it ran. Empty when the capture began later.
   */
  turnPrompts(sessionId: number, promptNumber: number): Promise<readonly UserPrompt[]>;
  /**
   * The turns of a session that have prompts, oldest first: the newest `limit` (at most 200) up to the turn `throughPrompt`. The oldest
   * turns are dropped when all texts have more than 200,000 characters. Imported prompts are excluded, because a file can contain any text.
   */
  conversation(
    sessionId: number,
    options: { throughPrompt: number; limit: number },
  ): Promise<readonly ConversationTurn[]>;
  /** Returns the current record of sessions with a conversation record. */
  currentConversations(sessionIds: readonly number[]): Promise<readonly CurrentConversation[]>;
  listPrompts(options?: ListOptions): Promise<Page<UserPrompt>>;
  listObservations(filter?: ObservationFilter): Promise<Page<Observation>>;
  /**
   * The conversation records of the other sessions of a project that are not superseded, newest first. @param
   * options.limit at most 500
   */
  listConversationRecords(
    projectId: number,
    options: { exceptSession: number; limit: number },
  ): Promise<readonly Observation[]>;
  listSummaries(options?: ListOptions): Promise<Page<Summary>>;
  /** Types and concepts of observations, most frequent first, at most 50 of each. */
  listLabels(): Promise<{ types: readonly string[]; concepts: readonly string[] }>;
  /** The newest `limit` titles of a session's observations, oldest first. */
  recordedTitles(sessionId: number, limit: number): Promise<readonly string[]>;
  contextMaterial(request: {
    projectId: number;
    observations: number;
    summaries: number;
    /**
     * Records that are dated more than a day later are used only when there are no others, because they would stay
     * the newest ones. @default no limit
     */
    now?: number;
  }): Promise<ContextMaterial>;
  /** In the order of the ids. Unknown ids are skipped. The same for the following three methods. */
  observationsByIds(ids: readonly number[]): Promise<readonly Observation[]>;
  summariesByIds(ids: readonly number[]): Promise<readonly Summary[]>;
  promptsByIds(ids: readonly number[]): Promise<readonly UserPrompt[]>;
  sessionsByIds(ids: readonly number[]): Promise<readonly Session[]>;
  /** The newest summary of each session with one. */
  latestSummaries(sessionIds: readonly number[]): Promise<readonly Summary[]>;
  /**
   * The records around a position of the timeline: the nearest before it, the record at it, and the nearest after it.
   * For a time, the records at that time are after it.
   */
  recordsAround(request: {
    at: RecordPosition;
    before: number;
    after: number;
    projectIds?: readonly number[];
  }): Promise<readonly TimelineRecord[]>;
  /** The positions of records of all kinds in timeline order, see `RecordRange`. */
  recordsInOrder(range: RecordRange): Promise<readonly RecordPlace[]>;
  /** Observations that were superseded by this one, newest first, at most 20. */
  supersededBy(id: number): Promise<readonly number[]>;
  /**
   * A page of all records in the order of an import: projects, sessions, prompts, summaries, and observations.
   * Rejects for a cursor that is not a `nextCursor`.
   */
  exportRecords(request: {
    /** `nextCursor` of the previous page. Null: from the first record */
    cursor: string | null;
    limit: number;
    projectIds?: readonly number[];
  }): Promise<{ records: readonly ImportedRecord[]; nextCursor: string | null }>;
  /**
   * Stores new records in one transaction, and creates sessions and projects as needed. Skips deleted records unless `takeForgotten`
   * is true, and links that would create a cycle of superseded observations.
   */
  importRecords(records: readonly ImportedRecord[], options: ImportOptions): Promise<ImportResult>;

  /**
   * Stores one observation that the user or an agent saves. When the project contains an observation with the same
   * text, that observation is returned instead, gets the other fields of the request, and is no longer superseded.
   * Rejects, and stores nothing, when an observation of `supersedes` cannot be superseded.
   */
  remember(request: RememberRequest): Promise<Remembered>;
  /**
   * Changes one observation and its derived data. Returns null for an unknown id. Rejects for a record without text,
   * a text that the session already contains, a cycle of replacements, and a change that is based on an older state.
   */
  editObservation(
    id: number,
    change: ObservationChange,
    now: number,
    /** `ifUpdatedAtEpoch`: the expected time of the last change. */
    options?: { ifUpdatedAtEpoch?: number },
  ): Promise<Observation | null>;
  /**
   * The files of the observations of a project, newest first. Observations without files and superseded ones are excluded.
   * @param request.beforeId excludes this id and larger ones. @default all
   */
  listObservationFiles(request: {
    projectId: number;
    beforeId?: number;
    limit: number;
  }): Promise<readonly ObservationFiles[]>;
  /** Replaces the freshness of these observations. An observation that does not exist is skipped. */
  setFreshness(rows: readonly ObservationFreshness[]): Promise<void>;
  /** Returns the freshness of these observations, in any order. */
  freshnessOf(ids: readonly number[]): Promise<readonly ObservationFreshness[]>;
  /**
   * Observations whose files were changed, moved or deleted, newest first. Superseded ones are excluded.
   * @param request.projectIds @default all
   * @param request.limit at most 500
   * @param request.offset number of observations to skip. @default 0
   */
  listStale(request: {
    projectIds?: readonly number[];
    limit: number;
    offset?: number;
  }): Promise<readonly ObservationFreshness[]>;
  /**
   * Deletes records permanently from the tables, the indexes and the queue. They do not come back with a late reply
   * of the observer, a repeated event or an import.
   */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /**
   * Restores the records of a deletion with `undoUntil`, with their ids, replacements and messages. Restores some
   * hundred records per call; repeat it until `isComplete`. From the first call on, the deletion does not become final.
   * Returns null when it is final, was undone before, or never existed.
   */
  undoForget(id: number, now: number): Promise<UndoneForget | null>;
  /** Undos that were started and are not complete. */
  listUndoing(): Promise<readonly number[]>;
  /** Newest first. */
  listForgotten(now: number): Promise<readonly UndoableForget[]>;
  /**
   * Makes due deletions final in several parts, so that their data can be overwritten. Call it at the start and at
   * `nextFinalAtEpoch`.
   */
  finishForgetting(now: number): Promise<FinishedForgetting>;
  /**
   * Overwrites the remains of deleted and edited text in the file and its log. Takes time in proportion to the
   * complete memory, and yields to other work. Returns false when a reader prevented it, and it must be repeated.
   */
  eraseForgotten(): Promise<boolean>;
  /** True when the file contains no remains of deleted or edited text, except data that can still be restored. */
  isErased(): Promise<boolean>;
  stats(): Promise<StoreStats>;
}
