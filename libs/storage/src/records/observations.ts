import {
  OBSERVATION_SOURCES,
  uuidV7,
  type CommitReply,
  type Logger,
  type Observation,
  type ObservationFilter,
  type ObservationSource,
  type Page,
} from '@claude-mem/core';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../database/driver.js';
import type { TypedDatabase } from '../database/typed-database.js';
import { TEXT_LIMITS } from '../limits.js';
import { observations } from '../schema.js';
import { contentHashOf } from './content-hash.js';
import { decodeRows, readOneOf, readTextList, type RowDecoder } from './decode-row.js';
import { byIds, idsIn } from './by-ids.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';
import { storableList, storableOrNull, storableText } from './storable.js';

type ObservationRow = typeof observations.$inferSelect;

const MAX_PINNED = 50;
const MAX_LABELS = 50;

/** Names as in the schema, for a statement that is not put together anew for each row. */
const WRITTEN = {
  uid: observations.uid,
  sessionId: observations.sessionId,
  projectId: observations.projectId,
  promptNumber: observations.promptNumber,
  type: observations.type,
  title: observations.title,
  subtitle: observations.subtitle,
  narrative: observations.narrative,
  facts: observations.facts,
  concepts: observations.concepts,
  filesRead: observations.filesRead,
  filesModified: observations.filesModified,
  discoveryTokens: observations.discoveryTokens,
  contentHash: observations.contentHash,
  source: observations.source,
  provider: observations.provider,
  model: observations.model,
  agentId: observations.agentId,
  agentType: observations.agentType,
  createdAtEpoch: observations.createdAtEpoch,
  updatedAtEpoch: observations.updatedAtEpoch,
} as const;
type Written = Pick<ObservationRow, keyof typeof WRITTEN>;

const observation: RowDecoder<ObservationRow, Observation> = {
  table: 'observations',
  decode: (row) => ({
    ...row,
    facts: readTextList(row.facts, 'facts'),
    concepts: readTextList(row.concepts, 'concepts'),
    filesRead: readTextList(row.filesRead, 'files_read'),
    filesModified: readTextList(row.filesModified, 'files_modified'),
    source: readOneOf(row.source, OBSERVATION_SOURCES, 'source'),
    pinned: row.pinned === 1,
  }),
};

interface ObservationPlace {
  sessionId: number;
  projectId: number;
  promptNumber: number;
  provider: string | null;
  model: string | null;
  now: number;
  /** @default a new one */
  uid?: string;
  /** @default observer */
  source?: ObservationSource;
}

export interface ObservationRecords {
  list(filter?: ObservationFilter): Page<Observation>;
  newest(projectId: number, limit: number): readonly Observation[];
  pinned(projectId: number): readonly Observation[];
  titles(sessionId: number, limit: number): readonly string[];
  labels(): { types: readonly string[]; concepts: readonly string[] };
  /** In the order of the ids; unknown ones are left out. */
  byIds(ids: readonly number[]): readonly Observation[];
  /** What they superseded counts again. The caller holds the transaction. Returns how many there were. */
  remove(ids: readonly number[]): number;
  /** Null when the session already holds an observation with the same content. The caller holds the transaction. */
  insert(draft: CommitReply['observations'][number], place: ObservationPlace): Observation | null;
}

export function createObservationRecords(
  database: Database,
  typed: TypedDatabase,
  logger: Logger,
): ObservationRecords {
  const decode = (rows: readonly ObservationRow[]) => decodeRows(observation, rows, logger);
  const titles = database
    .prepare(
      `SELECT title FROM observations WHERE session_id = ? AND title IS NOT NULL
       ORDER BY created_at_epoch DESC, id DESC LIMIT ?`,
    )
    .pluck();
  const types = database
    .prepare('SELECT type FROM observations GROUP BY type ORDER BY COUNT(*) DESC, type LIMIT ?')
    .pluck();
  const concepts = database
    .prepare(
      `SELECT concept.value FROM observations, json_each(concepts) concept
       WHERE concept.type = 'text' GROUP BY concept.value ORDER BY COUNT(*) DESC, concept.value LIMIT ?`,
    )
    .pluck();
  const findByIds = typed.select().from(observations).where(idsIn(observations.id)).prepare();
  const columns = Object.values(WRITTEN).map(({ name }) => name);
  const values = Object.keys(WRITTEN).map((name) => `@${name}`);
  const insert = database.prepare(
    `INSERT INTO observations (${columns.join(', ')}) VALUES (${values.join(', ')})
       ON CONFLICT (session_id, content_hash) DO NOTHING`,
  );

  const revive = database.prepare(
    'UPDATE observations SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?))',
  );
  const remove = database.prepare('DELETE FROM observations WHERE id IN (SELECT value FROM json_each(?))');
  return {
    remove(ids) {
      const list = JSON.stringify(ids);
      revive.run(list);
      return remove.run(list).changes;
    },
    list(filter = {}) {
      const page = toPageRequest(filter);
      const rows = typed
        .select()
        .from(observations)
        .where(
          and(
            filter.projectId === undefined ? undefined : eq(observations.projectId, filter.projectId),
            filter.sessionId === undefined ? undefined : eq(observations.sessionId, filter.sessionId),
            filter.type === undefined ? undefined : eq(observations.type, filter.type),
            filter.ids === undefined ? undefined : inArray(observations.id, [...filter.ids].slice(0, 1_000)),
            olderThan(observations, page.after),
          ),
        )
        .orderBy(...newestFirst(observations))
        .limit(page.limit + 1)
        .all();
      return toPage(rows, page, decode);
    },
    newest(projectId, limit) {
      const rows = typed
        .select()
        .from(observations)
        .where(and(eq(observations.projectId, projectId), isNull(observations.supersededBy)))
        .orderBy(...newestFirst(observations))
        .limit(limit)
        .all();
      return decode(rows);
    },
    pinned(projectId) {
      const rows = typed
        .select()
        .from(observations)
        .where(and(eq(observations.projectId, projectId), eq(observations.pinned, 1)))
        .orderBy(...newestFirst(observations))
        .limit(MAX_PINNED)
        .all();
      return decode(rows);
    },
    labels: () => ({
      types: types.all(MAX_LABELS) as string[],
      concepts: concepts.all(MAX_LABELS) as string[],
    }),
    titles: (sessionId, limit) => (titles.all(sessionId, limit) as string[]).reverse(),
    byIds: (ids) => byIds(ids, (list) => decode(findByIds.all({ ids: list }))),
    insert(draft, place) {
      const { now, uid, sessionId, projectId, promptNumber, provider } = place;
      const bounded = bound(draft);
      const row: Written = {
        ...bounded,
        facts: JSON.stringify(bounded.facts),
        concepts: JSON.stringify(bounded.concepts),
        filesRead: JSON.stringify(bounded.filesRead),
        filesModified: JSON.stringify(bounded.filesModified),
        contentHash: contentHashOf(bounded),
        uid: uid ?? uuidV7(now),
        source: place.source ?? 'observer',
        sessionId,
        projectId,
        promptNumber,
        provider,
        model: storableOrNull(place.model, TEXT_LIMITS.model),
        createdAtEpoch: now,
        updatedAtEpoch: now,
      };
      const { changes, lastInsertRowid } = insert.run(row);
      if (changes === 0) return null;
      const { facts, concepts, filesRead, filesModified } = bounded;
      const lists = { facts, concepts, filesRead, filesModified };
      const rest = { id: Number(lastInsertRowid), pinned: false, supersededBy: null };
      return { ...row, ...lists, ...rest, source: place.source ?? 'observer' };
    },
  };
}

/** As it is stored. */
function bound(draft: CommitReply['observations'][number]) {
  return {
    type: storableText(draft.type, TEXT_LIMITS.type),
    title: storableOrNull(draft.title, TEXT_LIMITS.title),
    subtitle: storableOrNull(draft.subtitle, TEXT_LIMITS.subtitle),
    narrative: storableOrNull(draft.narrative, TEXT_LIMITS.narrative),
    facts: storableList(draft.facts, 'fact', 'facts'),
    concepts: storableList(draft.concepts, 'concept', 'concepts'),
    filesRead: storableList(draft.filesRead, 'file', 'files'),
    filesModified: storableList(draft.filesModified, 'file', 'files'),
    discoveryTokens: Math.max(0, Math.trunc(draft.discoveryTokens ?? 0)) || 0,
    agentId: storableOrNull(draft.agentId, TEXT_LIMITS.agent),
    agentType: storableOrNull(draft.agentType, TEXT_LIMITS.agent),
  };
}
