import type { HostName, Observation, Project, Session } from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, Host, NullableText, objectOf, RowId } from './common.js';
import { ObservationRecord, ProjectRecord, SessionRecord } from './records.js';

const Count = Type.Integer({ minimum: 0 });

/** Offset of the reader's clock from UTC in minutes, for local days. */
const UtcOffset = Type.Integer({
  minimum: -1_440,
  maximum: 1_440,
  default: 0,
  description: 'Minutes ahead of UTC. Days are those of this offset',
});
const Day = Type.String({ description: 'YYYY-MM-DD' });

export const ProjectsQuery = Type.Object({ utcOffset: Type.Optional(UtcOffset) });

export type ProjectRow = Project & {
  observations: number;
  lastActivityEpoch: number | null;
  sessions: number;
  /** Observations of each of the last 30 days, oldest first. The last day is today. */
  activity: readonly number[];
};

export const ProjectRowRecord = Type.Unsafe<ProjectRow>(
  Type.Intersect([
    ProjectRecord,
    Type.Object({
      sessions: Count,
      activity: Type.Array(Count, { description: 'Observations of each of the last 30 days, oldest first' }),
    }),
  ]),
);

export type SessionRow = Session & {
  /** Name of the project. */
  project: string;
  prompts: number;
  observations: number;
  /** Messages in the queue that are not parked. */
  waiting: number;
};

export const SessionRowRecord = Type.Unsafe<SessionRow>(
  Type.Intersect([
    SessionRecord,
    Type.Object({ project: Type.String(), prompts: Count, observations: Count, waiting: Count }),
  ]),
);

export type ObservationDetail = Observation & {
  /** Name of the project. */
  project: string;
  host: HostName;
  /** Observations that were superseded by this one, newest first, at most 20. */
  supersedes: readonly number[];
};

export const ObservationDetailRecord = Type.Unsafe<ObservationDetail>(
  Type.Intersect([
    ObservationRecord,
    Type.Object({
      project: Type.String(),
      host: Host,
      supersedes: Type.Array(RowId, {
        description: 'Observations that this one superseded, newest first, at most 20',
      }),
    }),
  ]),
);

export const ProjectDetailQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 90 })),
  utcOffset: Type.Optional(UtcOffset),
});

export const ProjectDetail = Type.Object({
  project: ProjectRecord,
  counts: Type.Object({ sessions: Count, prompts: Count, observations: Count, summaries: Count }),
  activity: Type.Array(Type.Object({ day: Day, type: Type.String(), count: Count }), {
    description: 'Observations by day and type, oldest first, without empty days',
  }),
  files: Type.Array(Type.Object({ path: Type.String(), count: Count, lastEpoch: EpochMs }), {
    description: 'The 20 files that most observations contain, as stored',
  }),
  nextSteps: Type.Array(
    Type.Object({ summaryId: RowId, sessionId: RowId, text: Type.String(), createdAtEpoch: EpochMs }),
    { description: 'Open next steps that a new session receives' },
  ),
  pinned: Type.Array(ObservationRecord, { description: 'The newest 20' }),
  sessions: Type.Array(SessionRecord, { description: 'The latest 10' }),
});
export type ProjectDetail = Type.Static<typeof ProjectDetail>;

const spent = {
  calls: Count,
  inputTokens: Count,
  outputTokens: Count,
  cachedTokens: Count,
  estimatedCostUsd: Type.Number({ minimum: 0, description: 'US dollars, estimated' }),
};

export const SessionDetail = Type.Object({
  session: SessionRecord,
  project: objectOf<Pick<Project, 'id' | 'key' | 'name'>>({
    id: RowId,
    key: Type.String(),
    name: Type.String(),
  }),
  counts: Type.Object({ prompts: Count, observations: Count, summaries: Count }),
  toolUses: Type.Union(
    [Type.Array(Type.Object({ tool: Type.String(), count: Count, failed: Count })), Type.Null()],
    { description: 'Most used first. Null for sessions that an older version recorded' },
  ),
  usage: Type.Object({
    ...spent,
    byProvider: Type.Array(Type.Object({ provider: Type.String(), model: NullableText, ...spent })),
  }),
  queue: Type.Object({ pending: Count, processing: Count, parked: Count }),
});
export type SessionDetail = Type.Static<typeof SessionDetail>;
