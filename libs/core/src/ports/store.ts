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

/** What capture adds to a host event once it is scrubbed. */
export interface CaptureFields {
  /** Same key, same event: unique per session for good, also after the message left the queue. */
  dedupeKey: string;
  occurredAtEpoch: number;
  /** Null: not known yet (the event carried no folder); the session's project stays or becomes the neutral one. */
  project: ProjectRef | null;
  /** Why the event is only counted and not queued; null for what is kept. */
  filterReason: string | null;
  /** A tool use that only surrounds the work, such as a listing: it takes no place in a batch. @default false */
  isEvidence?: boolean;
  /** The branch and commit that were checked out when a prompt was sent. @default not known */
  head?: CheckoutHead | null;
  /** Share of sessions without injections, for a session that begins with this event. @default 0 */
  holdoutShare?: number;
}

export type CapturedEvent = HostEvent & CaptureFields;

/** `stored`: committed now. `duplicate`: was there already. `filtered`: counted only. */
export interface CaptureResult {
  kind: 'stored' | 'duplicate' | 'filtered';
  sessionId: number;
  projectId: number;
  promptNumber: number;
  /** The prompt that was stored, when it was one. */
  prompt?: UserPrompt;
}

/** What calls to a model cost. */
export interface CallUsage {
  /** All of the requests, cached tokens included. */
  inputTokens: number;
  outputTokens: number;
  /** The part of `inputTokens` that was read from the vendor's cache. */
  cachedTokens: number;
  estimatedCostUsd: number;
}

/** Ceilings on what the observer may spend; 0 means none. Tokens are input and output together. */
export interface UsageLimits {
  dayCalls: number;
  dayTokens: number;
  dayUsd: number;
  sessionTokens: number;
}

export type UsageLimit = keyof UsageLimits;

/**
 * `over`: nothing was reserved. `spent` counts calls in flight at their estimate; `freeAtEpoch` is when it may be asked
 * again: soon when only those reach the ceiling, else on the next day, or null when only a change of the settings helps.
 */
export type UsageDecision =
  | { kind: 'reserved'; callId: number }
  | { kind: 'over'; limit: UsageLimit; spent: number; allowed: number; freeAtEpoch: number | null };

/** One line of the meter; what it is not grouped by is null. */
export interface UsageRow extends CallUsage {
  /** `YYYY-MM-DD`, in local time. */
  day: string | null;
  sessionId: number | null;
  provider: string | null;
  model: string | null;
  /** Calls that were answered, or may have been. */
  calls: number;
  /** Calls that were refused or broke off. */
  failedCalls: number;
}

/** What a session decided so far, and the ids of records of the project that it replaces. */
export interface ConversationRecordDraft {
  /** Null: the session decided nothing. A record that was stored earlier in the session is deleted then. */
  draft: ObservationDraft | null;
  /** Records that only a person may supersede are skipped, and so are superseded records and records of other projects. */
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
    /** @default not known */
    fileStates?: readonly FileState[];
  })[];
  summary: SummaryDraft | null;
  /**
   * The one observation of the session that is updated while the session continues. It stays unchanged after a person edited or deleted
   * it, and after something superseded it. If it is written, messages with the outcome `empty` get the outcome `stored`.
   * @default null: the observation stays as it is
   */
  conversationRecord?: ConversationRecordDraft | null;
  confirm: readonly { id: number; outcome: MessageOutcome; reason?: string }[];
  provider: string;
  model: string | null;
  /** The provider's conversation to go on with; null when there is none any more; left out: as before. */
  memorySessionId?: string | null;
  /**
   * What the call cost, and the reservation it was made under: settled in the same transaction, also when the messages
   * are gone. A reservation that was settled before is left as it is.
   */
  usage?: CallUsage & { callId: number };
  now: number;
}

export interface CommittedReply {
  /**
   * Only rows that are new; a repetition of what the session already holds is left out. With a conversation record, also that record if
   * it changed, and the records that it superseded: their `updatedAtEpoch` is larger than their `createdAtEpoch`.
   */
  observations: readonly Observation[];
  summary: Summary | null;
  /** Id of the conversation record that was deleted, because the session decided nothing after all. @default none */
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
  /** One of them. */
  projectIds?: readonly number[];
  /** One of them. */
  hosts?: readonly HostName[];
}

/** Something a person, or an agent for them, wants to be kept. */
export interface RememberRequest {
  draft: ObservationDraft;
  /** Null: that of the session, or the neutral one. */
  project: ProjectRef | null;
  /** Who saves it: a host, and the conversation where that is known; null for a person outside of any. */
  session: { host: HostName; contentSessionId: string | null } | null;
  /** @default manual */
  source?: 'manual' | 'agent';
  pinned: boolean;
  /** What it takes the place of: records of its project. */
  supersedes: readonly number[];
  now: number;
}

export interface Remembered {
  observation: Observation;
  /** False: the project held exactly this already, and it is that one. */
  isNew: boolean;
  /** What had taken the place of the known one: that counts again, and supersedes this. Null when nothing had. */
  tookBackFrom: number | null;
  /** Known, and pinned only by this. */
  isNewlyPinned: boolean;
}

/** The record that counts for what a session decided. */
export interface CurrentConversation {
  sessionId: number;
  /** The conversation record of the session, or what superseded it; null when it was deleted. */
  record: Observation | null;
  /** True when `record` is a conversation record as it was written: no person saved or edited it. */
  isUnchanged: boolean;
}

/** What is left out stays as it is. */
export type ObservationChange = Partial<ObservationDraft & { pinned: boolean; supersededBy: number | null }>;

/** All that is given is forgotten; of a session or project everything, its prompts and summaries too. */
export interface ForgetRequest {
  /** Observations. */
  ids?: readonly number[];
  sessionIds?: readonly number[];
  projectIds?: readonly number[];
  /** Only counts. @default false */
  dryRun?: boolean;
  /** Until then it can be undone. @default it is final at once */
  undoUntil?: number;
  /** With `undoUntil`: a `forgetId` that this is to be undone with, until then. What is final already is added to no more. */
  addTo?: number;
  now: number;
}

export interface ForgetResult {
  observations: number;
  summaries: number;
  prompts: number;
  /** Sessions of which everything was forgotten; the sessions themselves stay, without any text, and count no second time before something comes in. */
  sessions: number;
  observationIds: readonly number[];
  sessionIds: readonly number[];
  /** All sessions that something was forgotten of: what their observer carries along from before is not to be used again. */
  observedSessionIds: readonly number[];
  /** What it can be undone by; null: it is final. */
  forgetId: number | null;
}

/** Something that was forgotten and can still be undone. */
export interface UndoableForget extends Pick<
  ForgetResult,
  'observations' | 'summaries' | 'prompts' | 'sessions'
> {
  forgetId: number;
  forgottenAtEpoch: number;
  finalAtEpoch: number;
  /** Of the newest 20 observations. */
  titles: readonly Pick<Observation, 'id' | 'title'>[];
}

/** What came back. */
export interface UndoneForget extends Pick<
  ForgetResult,
  'observations' | 'summaries' | 'prompts' | 'sessions' | 'observationIds' | 'sessionIds'
> {
  /** That wait for the observer again. */
  messages: number;
  /** Observations that stay away because somebody saved the same again meanwhile. */
  leftOut: number;
  /** False when more of it is still to come. */
  isWhole: boolean;
}

/** What was made final, and what is left to do. */
export interface FinishedForgetting {
  finished: number;
  nextFinalAtEpoch: number | null;
  /** What `undoForget` has begun with and is not through. */
  undoing: readonly number[];
}

/** A moment, or the place of one record in the order of the timeline: time, then prompt, observation, summary, then id. */
export interface RecordPosition {
  epoch: number;
  kind?: TimelineRecord['kind'];
  id?: number;
}

/** A record's place in the order of the timeline. */
export type RecordPlace = Required<RecordPosition>;

/** Which records are listed, one list after the other; all that is given must hold. Bounds are inclusive. */
export interface RecordRange {
  /** @default all */
  kinds?: readonly TimelineRecord['kind'][];
  projectIds?: readonly number[];
  sessionIds?: readonly number[];
  fromEpoch?: number;
  toEpoch?: number;
  order: 'newest' | 'oldest';
  /** Only what comes behind it in that order. */
  after?: RecordPlace;
  /** At most 1,000. */
  limit: number;
}

/** How much a session holds. */
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
  /** For each file, the turns whose records list it as read, except the first. */
  repeatedReads: number;
}

/** How often a session used a tool, what was too routine to be queued included. */
export interface ToolUseCount {
  tool: string;
  count: number;
  /** Of them those that failed. */
  failed: number;
}

export type TimelineRecord =
  | { kind: 'prompt'; item: UserPrompt }
  | { kind: 'observation'; item: Observation }
  | { kind: 'summary'; item: Summary };

/** What the session-start context is chosen from. */
export interface ContextMaterial {
  /** Newest first. */
  summaries: readonly Summary[];
  pinned: readonly Observation[];
  /** The newest conversation records that no other record supersedes, newest first. At most 10. */
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

/** The files of an observation when it was stored, and what was checked out at its prompt. */
export interface ObservationFiles {
  observationId: number;
  files: readonly FileState[];
  /** Null when it is unknown, and outside of git. */
  head: CheckoutHead | null;
}

/** The freshness of an observation in the folder `checkout` at its commit `headCommit`, which is null outside of git. */
export interface ObservationFreshness {
  observationId: number;
  checkout: string;
  headCommit: string | null;
  freshness: Freshness;
}

/** A project with the repository that it was last seen in. */
export type ProjectRepository = ProjectRef & RepositoryIdentity & { id: number };

export interface MoveProjectRequest {
  /** The project whose records move. */
  id: number;
  /** The project of the folder that gets them. */
  to: ProjectRef;
  /** Whether they may be mixed with records of that folder, which cannot be undone. */
  merge: boolean;
}

/** `occupied`: nothing changed, because the folder has records of its own. */
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
  /** Count of recorded ends by outcome. */
  outcomes: Readonly<Record<MessageOutcome, number>>;
}

/**
 * All canonical data. Each method is one whole operation and one transaction; a resolved promise of a write means
 * it is committed and survives a kill of the process.
 */
export interface Store {
  /**
   * Records host events in the given order, all in one transaction. Creates project and session as needed, reopens
   * a closed session, numbers prompts, queues tool uses and ends of turns. A new prompt, or the end of the session,
   * closes a turn that has queued tool uses and no end: it is queued as interrupted. Replaying events changes nothing.
   */
  capture(events: readonly CapturedEvent[]): Promise<readonly CaptureResult[]>;
  commitReply(reply: CommitReply): Promise<CommittedReply>;

  /**
   * Counts a call before it is made, at the most it may cost, unless a ceiling is reached. Check and reservation are one
   * transaction: however many ask at once, a ceiling is passed by at most one call. Days are local.
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
   * Ends a call that brought no reply to store: with what it cost, or null when nobody knows and the estimate stands. One
   * that cost nothing was refused and is no call of the day. Does nothing when it ended before.
   */
  settleUsage(request: { callId: number; usage: CallUsage | null; now: number }): Promise<void>;
  /** Calls that a dead process left open are counted at their estimate. Returns how many; to be called once, before any reservation. */
  recoverUsage(): Promise<number>;
  /** The meter of calls that ended, newest day first, then what cost most. `total` gives one row; `provider` one per model too, `day-model` one per day, provider and model. */
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
  /** Most used first; null when it is not known, for a session from before they were counted. */
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
  /** Sessions without activity since then become interrupted. Returns how many. */
  interruptIdleSessions(request: { inactiveSince: number }): Promise<number>;

  getProject(id: number): Promise<Project | null>;
  findProject(key: string): Promise<Project | null>;
  listProjects(): Promise<readonly ListedProject[]>;
  /** Projects whose git repository is known. */
  listRepositories(): Promise<readonly ProjectRepository[]>;
  /** Replaces what is known of a project's git repository. Does nothing for an unknown project. */
  setRepository(projectId: number, repository: RepositoryIdentity): Promise<void>;
  /** Gives all records of a project to another folder. Rejects for an unknown project and for records without a project. */
  moveProject(request: MoveProjectRequest): Promise<MovedProject>;
  /** How much a project holds, counted. */
  projectCounts(id: number): Promise<{ prompts: number; summaries: number }>;

  /** What the person typed for a turn: its prompt, and what they added while it ran. Empty when it began before we listened. */
  turnPrompts(sessionId: number, promptNumber: number): Promise<readonly UserPrompt[]>;
  /**
   * The turns of a session that have prompts, oldest first: the newest `limit` (at most 200) up to the turn `throughPrompt`. The oldest
   * turns are dropped when all texts have more than 200,000 characters. Imported prompts are excluded, because a file can contain any text.
   */
  conversation(
    sessionId: number,
    options: { throughPrompt: number; limit: number },
  ): Promise<readonly ConversationTurn[]>;
  /** For those of the sessions that made a conversation record: which record counts now. */
  currentConversations(sessionIds: readonly number[]): Promise<readonly CurrentConversation[]>;
  listPrompts(options?: ListOptions): Promise<Page<UserPrompt>>;
  listObservations(filter?: ObservationFilter): Promise<Page<Observation>>;
  /**
   * The conversation records of the other sessions of a project, newest first; not the superseded ones.
   * @param options.limit at most 500
   */
  listConversationRecords(
    projectId: number,
    options: { exceptSession: number; limit: number },
  ): Promise<readonly Observation[]>;
  listSummaries(options?: ListOptions): Promise<Page<Summary>>;
  /** Types and concepts that observations have, each once, the most used first; at most 50 of either. */
  listLabels(): Promise<{ types: readonly string[]; concepts: readonly string[] }>;
  /** Titles of a session's observations, oldest first, the newest `limit` of them. */
  recordedTitles(sessionId: number, limit: number): Promise<readonly string[]>;
  contextMaterial(request: {
    projectId: number;
    observations: number;
    summaries: number;
    /**
     * What is dated more than a day later counts only where there is nothing else: it would stay the newest for so long.
     * @default everything counts
     */
    now?: number;
  }): Promise<ContextMaterial>;
  /** In the order of the ids, each once; unknown ones are left out. The same of all four. */
  observationsByIds(ids: readonly number[]): Promise<readonly Observation[]>;
  summariesByIds(ids: readonly number[]): Promise<readonly Summary[]>;
  promptsByIds(ids: readonly number[]): Promise<readonly UserPrompt[]>;
  sessionsByIds(ids: readonly number[]): Promise<readonly Session[]>;
  /** The newest summary of each session that has one. */
  latestSummaries(sessionIds: readonly number[]): Promise<readonly Summary[]>;
  /**
   * Records of all kinds in the order of time: the nearest before a place, the record at it, and the nearest behind it. With a
   * moment alone, what was at that moment comes behind it.
   */
  recordsAround(request: {
    at: RecordPosition;
    before: number;
    after: number;
    projectIds?: readonly number[];
  }): Promise<readonly TimelineRecord[]>;
  /** The places of records of all kinds in the order of time, see `RecordRange`. */
  recordsInOrder(range: RecordRange): Promise<readonly RecordPlace[]>;
  /** Observations whose place was taken by this one, newest first, at most 20. */
  supersededBy(id: number): Promise<readonly number[]>;
  /**
   * A page of all records, in the order in which another memory can store them: projects, sessions, prompts, summaries, and
   * observations. Rejects for a cursor that is not a `nextCursor`.
   */
  exportRecords(request: {
    /** `nextCursor` of the page before; null: from the first record */
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
   * Stores one observation that a person or an agent saves. When the project already has an observation with the same text, that
   * observation is returned instead. The other fields of the request apply to it, and it is no longer superseded. Rejects, and
   * stores nothing, when an observation of `supersedes` cannot be superseded.
   */
  remember(request: RememberRequest): Promise<Remembered>;
  /**
   * Changes one observation, and makes everything derived from it follow. Null when there is none of that id. Rejects for what a
   * memory does not take: a record without text, the same text twice in a session, a chain that comes back to itself, a change meant for an earlier state.
   */
  editObservation(
    id: number,
    change: ObservationChange,
    now: number,
    /** `ifUpdatedAtEpoch`: only what was last changed then. */
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
   * For good, from the records, every index and what waits for the observer. It does not come back: neither by a late reply of the
   * observer, nor by a repeated event, nor by an import.
   */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /**
   * Puts back what was forgotten with `undoUntil`, under its ids and as it was, also what it superseded and what waited for the
   * observer. Some hundred records of it: to be called again until `isWhole`. Once begun it does not become final any more.
   * Null when it is final, was undone before, or never was.
   */
  undoForget(id: number, now: number): Promise<UndoneForget | null>;
  /** What `undoForget` has begun with and is not through, whoever began. */
  listUndoing(): Promise<readonly number[]>;
  /** Newest first. */
  listForgotten(now: number): Promise<readonly UndoableForget[]>;
  /** Makes final what is due, so that it can be overwritten; much of it in several parts. To be called at the start and at `nextFinalAtEpoch`. */
  finishForgetting(now: number): Promise<FinishedForgetting>;
  /**
   * Overwrites what forgotten and edited text left behind in the file and its log. Takes time in proportion to the whole memory, in which
   * others get their turn. False when somebody was reading, so that it has to be done again.
   */
  eraseForgotten(): Promise<boolean>;
  /** True when nothing is left in the file of what was forgotten or edited away; what can still be undone lies in it. */
  isErased(): Promise<boolean>;
  stats(): Promise<StoreStats>;
}
