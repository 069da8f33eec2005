import {
  HOST_NAMES,
  type HostName,
  type Observation,
  type Session,
  type Summary,
  type UserPrompt,
} from '@claude-mem/core';
import * as Type from 'typebox';
import { Host, NullableText, oneOf, RowId, someOf } from './common.js';
import { Facets } from './facets.js';
import { ObservationRecord, PromptRecord, SessionRecord, SummaryRecord } from './records.js';

const MAX_QUERY = 20_000;
/** Maximum offset. */
export const MAX_OFFSET = 10_000;
/** Maximum number of records of one import request. */
export const MAX_IMPORT = 5_000;
const Word = Type.String({ maxLength: 4_096 });

/** Several values, as a repeated parameter or one text with commas. */
const Words = Type.Union([Word, Type.Array(Word, { maxItems: 100 })]);
const Projects = Type.Union([Word, Type.Array(Word, { maxItems: 100 })], {
  description: 'Name or key. Repeat the parameter for several projects',
});
const Moment = Type.Union([Type.String({ maxLength: 100 }), Type.Number()], {
  description: 'ISO date or time, or epoch milliseconds',
});
const Flag = oneOf(['true', 'false', '1', '0']);

/** Filters of all searches. Several values of one filter mean "one of them". All filters must match. */
export const filterFields = {
  project: Type.Optional(Projects),
  type: Type.Optional(Words),
  concepts: Type.Optional(Words),
  files: Type.Optional(Words),
  dateFrom: Type.Optional(Moment),
  dateTo: Type.Optional(Moment),
  session: Type.Optional(
    Type.String({ maxLength: 500, description: 'Id of the session in claude-mem or at the host' }),
  ),
  host: Type.Optional(someOf(HOST_NAMES)),
};

export const SEARCH_KINDS = ['observations', 'sessions', 'prompts', 'all'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const SearchQuery = Type.Object({
  ...filterFields,
  query: Type.Optional(
    Type.String({ maxLength: MAX_QUERY, description: 'Plain text. Without a query, only the filters apply' }),
  ),
  kind: Type.Optional(oneOf(SEARCH_KINDS, { default: 'observations' })),
  syntax: Type.Optional(oneOf(['text', 'fts5'], { default: 'text' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 20 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET, default: 0 })),
  contextFiles: Type.Optional(Words),
  orderBy: Type.Optional(oneOf(['relevance', 'date'])),
  explain: Type.Optional(Flag),
  prefix: Type.Optional(Flag),
  facets: Type.Optional(Flag),
  complete: Type.Optional(Flag),
  semanticWindowDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
});
export type SearchQuery = Type.Static<typeof SearchQuery>;

const Degraded = Type.Unsafe<readonly { part: string; reason: string }[]>(
  Type.Array(Type.Object({ part: Type.String(), reason: Type.String() }), {
    description: 'Parts of the search that were not available. Empty when all were used',
  }),
);

/** A search result. `score` is comparable only within one response and one kind. */
interface HitFields {
  /** Name of the project. */
  project: string;
  host: HostName;
  score: number;
  /** Only with `explain`. The sum of the parts is the score. */
  parts?: readonly { name: string; value: number; detail?: string }[];
}

export type FoundItem = HitFields &
  (
    | { kind: 'observation'; item: Observation }
    | { kind: 'session'; item: Session & { summary: Summary | null; hits: readonly Observation[] } }
    | { kind: 'prompt'; item: UserPrompt }
  );

const hitFields = {
  project: Type.String(),
  host: Host,
  score: Type.Number(),
  parts: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String(), value: Type.Number(), detail: Type.Optional(Type.String()) }),
    ),
  ),
};

const FoundSessionRecord = Type.Intersect([
  SessionRecord,
  Type.Object({ summary: Type.Union([SummaryRecord, Type.Null()]), hits: Type.Array(ObservationRecord) }),
]);

/** Best result first, grouped by kind. `nextCursor` is the next `offset` up to the maximum. */
export const SearchReply = Type.Object({
  items: Type.Array(
    Type.Unsafe<FoundItem>(
      Type.Union([
        Type.Object({ kind: Type.Literal('observation'), item: ObservationRecord, ...hitFields }),
        Type.Object({ kind: Type.Literal('session'), item: FoundSessionRecord, ...hitFields }),
        Type.Object({ kind: Type.Literal('prompt'), item: PromptRecord, ...hitFields }),
      ]),
    ),
  ),
  nextCursor: NullableText,
  strategy: Type.String({
    description: 'filters, lexical, semantic, hybrid or fts5: the strategy that all kinds share',
  }),
  degraded: Degraded,
  terms: Type.Array(Type.String(), {
    description: 'Words of the results that match the query, in lower case',
  }),
  facets: Type.Optional(Facets),
});
export type SearchReply = Type.Static<typeof SearchReply>;

const Depth = Type.Integer({ minimum: 0, maximum: 100, default: 10 });

/** One of `anchor` and `query` is required. */
export const TimelineQuery = Type.Object({
  anchor: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'An id (12, #12), S12 for a summary, P12 for a prompt, or a time',
    }),
  ),
  query: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY,
      description: 'Centers the timeline on the best result of this query',
    }),
  ),
  before: Type.Optional(Depth),
  after: Type.Optional(Depth),
  project: Type.Optional(Projects),
});
export type TimelineQuery = Type.Static<typeof TimelineQuery>;

export type TimelineItem = { project: string } & (
  | { kind: 'observation'; item: Observation }
  | { kind: 'summary'; item: Summary }
  | { kind: 'prompt'; item: UserPrompt }
);

/** Oldest first. */
export const TimelineReply = Type.Object({
  items: Type.Array(
    Type.Unsafe<TimelineItem>(
      Type.Union([
        Type.Object({
          kind: Type.Literal('observation'),
          item: ObservationRecord,
          project: Type.String(),
        }),
        Type.Object({ kind: Type.Literal('summary'), item: SummaryRecord, project: Type.String() }),
        Type.Object({ kind: Type.Literal('prompt'), item: PromptRecord, project: Type.String() }),
      ]),
    ),
  ),
  anchorIndex: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Index of the anchor, or of the first entry after its time. Null when nothing was found',
  }),
  degraded: Degraded,
  nextCursor: Type.Null(),
});
export type TimelineReply = Type.Static<typeof TimelineReply>;

const Count = Type.Integer({ minimum: 0 });

/** Number of records that are not in the indexes yet. */
export const IndexState = Type.Object({
  words: Type.Object({ indexed: Count, total: Count, problem: Type.Optional(Type.String()) }),
  vectors: Type.Object({
    index: Type.String({ description: 'flat, chroma or none' }),
    model: NullableText,
    waiting: Type.Integer({ minimum: 0, description: 'Observations whose vectors are not written yet' }),
    failed: Type.Integer({
      minimum: 0,
      description: 'Pending messages that failed and are retried later',
    }),
    problem: NullableText,
  }),
  isDone: Type.Boolean(),
});
export type IndexState = Type.Static<typeof IndexState>;

/** The index to rebuild. `missing` rebuilds nothing, and adds missing entries at once instead of in idle time. */
export const ReindexRequest = Type.Object(
  { part: Type.Optional(oneOf(['words', 'vectors', 'all', 'missing'], { default: 'all' })) },
  { additionalProperties: false },
);

/** An array of records, or one JSON object per line. Empty lines count only for line numbers. */
export const ImportRequest = Type.Union([
  Type.Array(Type.Unknown(), { maxItems: MAX_IMPORT }),
  Type.Object(
    {
      lines: Type.Array(Type.String(), { maxItems: MAX_IMPORT }),
      takeForgotten: Type.Optional(
        Type.Boolean({ description: 'Also import records that were deleted here' }),
      ),
      existingUpTo: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'existingUpTo of the first reply, when this request continues the same import',
        }),
      ),
    },
    { additionalProperties: false },
  ),
]);
export type ImportRequest = Type.Static<typeof ImportRequest>;

export const ImportReply = Type.Object({
  inserted: Count,
  known: Type.Integer({ minimum: 0, description: 'Records that already exist' }),
  forgotten: Type.Integer({
    minimum: 0,
    description: 'Records that were deleted here, and are therefore skipped',
  }),
  failed: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1, description: 'Line number in this request, from 1' }),
      reason: Type.String(),
    }),
  ),
  pinned: Type.Integer({ minimum: 0, description: 'Inserted records that are pinned' }),
  manual: Type.Integer({ minimum: 0, description: 'Inserted records that are marked as saved manually' }),
  userFacts: Type.Integer({
    minimum: 0,
    description: 'Inserted records with facts that are attributed to the user',
  }),
  superseded: Type.Integer({
    minimum: 0,
    description: 'Existing records that inserted records superseded',
  }),
  notSuperseded: Type.Array(Type.Object({ id: RowId, by: RowId }), {
    description: 'Existing records that are pinned or saved manually. An import does not supersede them',
  }),
  existingUpTo: Type.Integer({
    minimum: 0,
    description: 'Highest observation id before the import. Send it with the next part of the same import',
  }),
});
export type ImportReply = Type.Static<typeof ImportReply>;

export const ExportQuery = Type.Object({
  project: Type.Optional(Projects),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 500 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the previous page' })),
});
