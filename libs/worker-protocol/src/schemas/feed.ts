import type { HostName } from '@claude-mem/core';
import * as Type from 'typebox';
import { Host, NullableText, oneOf, someOf } from './common.js';
import { FEED_KINDS } from './facets.js';
import { ObservationRecord, PromptRecord, SummaryRecord } from './records.js';
import { filterFields, type TimelineItem } from './search.js';

/** A record of any kind with the name of its project and its host. */
export type FeedItem = TimelineItem & { host: HostName };

const whereFrom = { project: Type.String({ description: 'Name' }), host: Host };

const FeedItemRecord = Type.Unsafe<FeedItem>(
  Type.Union([
    Type.Object({ kind: Type.Literal('observation'), item: ObservationRecord, ...whereFrom }),
    Type.Object({ kind: Type.Literal('summary'), item: SummaryRecord, ...whereFrom }),
    Type.Object({ kind: Type.Literal('prompt'), item: PromptRecord, ...whereFrom }),
  ]),
);

/** A filter of type, concept or file excludes kinds of records without that field. */
const feedFilterFields = {
  ...filterFields,
  kind: Type.Optional(someOf(FEED_KINDS)),
};

export const FeedQuery = Type.Object({
  ...feedFilterFields,
  order: Type.Optional(oneOf(['newest', 'oldest'], { default: 'newest' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the previous page' })),
});
export type FeedQuery = Type.Static<typeof FeedQuery>;

export const FeedReply = Type.Object({ items: Type.Array(FeedItemRecord), nextCursor: NullableText });
export type FeedReply = Type.Static<typeof FeedReply>;

export const FacetsQuery = Type.Object({
  ...feedFilterFields,
  fileText: Type.Optional(
    Type.String({ maxLength: 500, description: 'Only files whose path contains this text' }),
  ),
});
export type FacetsQuery = Type.Static<typeof FacetsQuery>;
