import type { PromptSubmitted, SessionEnded, SessionStarted, ToolUsed, TurnEnded } from '../host-event.js';
import type { Observation, ObservationDraft } from '../observation.js';
import type { MessageOutcome } from '../pending-message.js';
import type { Project, ProjectRef, Session, UserPrompt } from '../session.js';
import type { Summary, SummaryDraft } from '../summary.js';

/** What capture adds to a host event once it is scrubbed. */
export interface CaptureFields {
  /** Same key, same event: unique per session for good, also after the message left the queue. */
  dedupeKey: string;
  occurredAtEpoch: number;
  /** Null: not known yet (the event carried no folder); the session's project stays or becomes the neutral one. */
  project: ProjectRef | null;
  /** Why the event is only counted and not queued; null for what is kept. */
  filterReason: string | null;
}

export type CapturedEvent = (SessionStarted | PromptSubmitted | ToolUsed | TurnEnded | SessionEnded) &
  CaptureFields;

/** `stored`: committed now. `duplicate`: was there already. `filtered`: counted only. */
export interface CaptureResult {
  kind: 'stored' | 'duplicate' | 'filtered';
  sessionId: number;
  projectId: number;
  promptNumber: number;
}

/** The observer's reply to one batch, stored with the deletion of its messages in one transaction. */
export interface CommitReply {
  sessionId: number;
  promptNumber: number;
  observations: readonly (ObservationDraft & {
    agentId?: string | null;
    agentType?: string | null;
    discoveryTokens?: number;
  })[];
  summary: SummaryDraft | null;
  confirm: readonly { id: number; outcome: MessageOutcome; reason?: string }[];
  provider: string;
  model: string | null;
  /** Set when the provider gave (or changed) its conversation id. */
  memorySessionId?: string;
  usage?: { inputTokens: number; outputTokens: number; cachedTokens: number; estimatedCostUsd: number };
  now: number;
}

export interface CommittedReply {
  /** Only rows that are new; a repetition of what the session already holds is left out. */
  observations: readonly Observation[];
  summary: Summary | null;
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

export interface LexicalHit {
  observation: Observation;
  /** Larger is better; comparable within one answer only. */
  score: number;
}

/** What the session-start context is chosen from. */
export interface ContextMaterial {
  /** Newest first. */
  summaries: readonly Summary[];
  pinned: readonly Observation[];
  /** Newest first. */
  observations: readonly Observation[];
  totalObservations: number;
}

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

  getSession(id: number): Promise<Session | null>;
  findSession(key: { host: string; contentSessionId: string }): Promise<Session | null>;
  listSessions(options?: ListOptions): Promise<Page<Session>>;
  /** Ends a session by hand: open messages are dropped with the reason. Returns how many, or null when there is no such session. */
  abortSession(id: number, request: { now: number; reason: string }): Promise<number | null>;
  /** Sessions without activity since then become interrupted. Returns how many. */
  interruptIdleSessions(request: { inactiveSince: number }): Promise<number>;

  getProject(id: number): Promise<Project | null>;
  findProject(key: string): Promise<Project | null>;
  listProjects(): Promise<readonly (Project & { observations: number; lastActivityEpoch: number | null })[]>;

  /** What the person typed for a turn: its prompt, and what they added while it ran. Empty when it began before we listened. */
  turnPrompts(sessionId: number, promptNumber: number): Promise<readonly UserPrompt[]>;
  listPrompts(options?: ListOptions): Promise<Page<UserPrompt>>;
  listObservations(filter?: ObservationFilter): Promise<Page<Observation>>;
  listSummaries(options?: ListOptions): Promise<Page<Summary>>;
  /** Titles of a session's observations, oldest first, the newest `limit` of them. */
  recordedTitles(sessionId: number, limit: number): Promise<readonly string[]>;
  contextMaterial(request: {
    projectId: number;
    observations: number;
    summaries: number;
  }): Promise<ContextMaterial>;
  /** Words of the query, all taken as data; best first. */
  searchLexical(request: {
    query: string;
    projectId?: number;
    limit: number;
  }): Promise<readonly LexicalHit[]>;
  stats(): Promise<StoreStats>;
}
