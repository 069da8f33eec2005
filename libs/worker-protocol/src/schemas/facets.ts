import * as Type from 'typebox';
import { Host, oneOf, RowId } from './common.js';

export const FEED_KINDS = ['observation', 'summary', 'prompt'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

const Count = Type.Integer({ minimum: 0 });
const Counted = Type.Object({ value: Type.String(), count: Count });

/** Number of records per value, most frequent first. Each field is counted without its own filter. */
export const Facets = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'Records that pass every filter' }),
  projects: Type.Array(Type.Object({ id: RowId, name: Type.String(), count: Count })),
  hosts: Type.Array(Type.Object({ value: Host, count: Count })),
  kinds: Type.Array(Type.Object({ value: oneOf(FEED_KINDS), count: Count })),
  types: Type.Array(Counted),
  concepts: Type.Array(Counted, { description: 'At most 30' }),
  files: Type.Array(Type.Object({ value: Type.String(), count: Count, project: Type.String() }), {
    description: 'Paths as stored, by project, at most 30',
  }),
});
export type Facets = Type.Static<typeof Facets>;
