import {
  BRANCH_STATES,
  FACT_ORIGINS,
  FRESHNESS_VERDICTS,
  OBSERVATION_SOURCES,
  PENDING_STATUSES,
  SESSION_STATUSES,
  type Fact,
  type Freshness,
  type HostName,
  type Observation,
  type PendingMessage,
  type Project,
  type QueueCounts,
  type Session,
  type StaleFile,
  type StoreStats,
  type Summary,
  type UserPrompt,
} from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, Host, NullableText, objectOf, RowId, oneOf } from './common.js';

const Texts = Type.Array(Type.String());
const NullableEpoch = Type.Union([EpochMs, Type.Null()]);
const NullableId = Type.Union([RowId, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

const FreshnessRecord = objectOf<Freshness>({
  branch: Type.Union([Type.Object({ name: Type.String(), state: oneOf(BRANCH_STATES) }), Type.Null()]),
  verdict: oneOf(FRESHNESS_VERDICTS),
  fileCount: Count,
  staleCount: Count,
  files: Type.Array(
    objectOf<StaleFile>({
      path: Type.String(),
      verdict: oneOf(['changed', 'moved', 'gone']),
      commits: Type.Union([Count, Type.Null()], {
        description: 'Number of commits since then. Null when it is not known',
      }),
      movedTo: NullableText,
    }),
  ),
});

const FactRecord = objectOf<Fact>({
  text: Type.String(),
  origin: Type.Union([oneOf(FACT_ORIGINS), Type.Null()], {
    description: 'Origin of the fact. Null when it is not known',
  }),
});

export const ObservationRecord = objectOf<Observation>({
  id: RowId,
  uid: Type.String(),
  sessionId: RowId,
  projectId: RowId,
  promptNumber: Count,
  type: Type.String(),
  title: NullableText,
  subtitle: NullableText,
  narrative: NullableText,
  facts: Type.Array(FactRecord),
  concepts: Texts,
  filesRead: Texts,
  filesModified: Texts,
  discoveryTokens: Count,
  contentHash: Type.String(),
  source: oneOf(OBSERVATION_SOURCES),
  provider: NullableText,
  model: NullableText,
  agentId: NullableText,
  agentType: NullableText,
  pinned: Type.Boolean(),
  supersededBy: NullableId,
  createdAtEpoch: EpochMs,
  updatedAtEpoch: EpochMs,
  freshness: Type.Optional(FreshnessRecord),
});

export const SummaryRecord = objectOf<Summary>({
  id: RowId,
  uid: Type.String(),
  sessionId: RowId,
  projectId: RowId,
  promptNumber: Count,
  request: NullableText,
  investigated: NullableText,
  learned: NullableText,
  completed: NullableText,
  nextSteps: NullableText,
  notes: NullableText,
  filesRead: Texts,
  filesEdited: Texts,
  createdAtEpoch: EpochMs,
});

export const SessionRecord = objectOf<Session>({
  id: RowId,
  uid: Type.String(),
  host: Host,
  contentSessionId: Type.String(),
  memorySessionId: NullableText,
  projectId: RowId,
  cwd: NullableText,
  userPrompt: NullableText,
  title: NullableText,
  status: oneOf(SESSION_STATUSES),
  promptCounter: Count,
  cumulativeInputTokens: Count,
  cumulativeOutputTokens: Count,
  createdAtEpoch: EpochMs,
  lastActivityEpoch: EpochMs,
  completedAtEpoch: NullableEpoch,
});

export const PromptRecord = objectOf<UserPrompt>({
  id: RowId,
  uid: Type.String(),
  sessionId: RowId,
  promptNumber: Count,
  promptText: Type.String(),
  createdAtEpoch: EpochMs,
});

export const ProjectRecord = objectOf<Project & { observations: number; lastActivityEpoch: number | null }>({
  id: RowId,
  key: Type.String(),
  name: Type.String(),
  createdAtEpoch: EpochMs,
  observations: Count,
  lastActivityEpoch: NullableEpoch,
});

/** A pending message for display. */
export interface QueueItem extends Omit<PendingMessage, 'payload'> {
  project: string;
  host: HostName | null;
  /** Null for the end of a turn. */
  toolName: string | null;
  /** The file, command or similar target of the tool use. */
  subject: string | null;
  /** The reason why the message waits or was parked. Null when it is next. */
  reason: string | null;
}

export const QueueItemRecord = objectOf<QueueItem>({
  id: RowId,
  sessionId: RowId,
  project: Type.String({ description: 'Name. Empty when the session of the message was deleted' }),
  host: Type.Union([Host, Type.Null()]),
  promptNumber: Count,
  kind: oneOf(['observation', 'summarize']),
  toolName: NullableText,
  subject: NullableText,
  bytes: Count,
  isEvidence: Type.Boolean(),
  status: oneOf(PENDING_STATUSES),
  attempts: Count,
  lastError: NullableText,
  reason: NullableText,
  createdAtEpoch: EpochMs,
  claimedAtEpoch: NullableEpoch,
  availableAtEpoch: EpochMs,
});

export const QueueCountsRecord = objectOf<QueueCounts>({
  pending: Count,
  processing: Count,
  parked: Count,
  orphans: Count,
  oldestPendingEpoch: NullableEpoch,
});

export const StatsRecord = objectOf<StoreStats>({
  projects: Count,
  sessions: Count,
  prompts: Count,
  observations: Count,
  summaries: Count,
  databaseBytes: Count,
  outcomes: Type.Record(Type.String(), Count),
});
