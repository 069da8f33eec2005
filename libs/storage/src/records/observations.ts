import {
  FACT_ORIGINS,
  MAX_AGENT_RECORDS,
  OBSERVATION_SOURCES,
  uuidV7,
  type CommitReply,
  type Fact,
  type Logger,
  type Observation,
  type ObservationDraft,
  type ObservationFilter,
  type ObservationSource,
  type Page,
} from '@claude-mem/core';
import { and, eq, getTableColumns, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database/driver.js';
import type { TypedDatabase } from '../database/typed-database.js';
import { LIST_LIMITS, TEXT_LIMITS } from '../limits.js';
import { observations } from '../schema.js';
import { contentHashOf } from './content-hash.js';
import { createForgotten } from './forgotten.js';
import { decodeRows, readOneOf, readTextList, type RowDecoder } from './decode-row.js';
import { byIds, idsIn } from './by-ids.js';
import { MAX_LIMIT, newestFirst, olderThan, toPage, toPageRequest } from './page.js';
import { storableList, storableOrNull, storableText } from './storable.js';

/** Only the freshness of a record needs the states of its files. */
const { fileStates: _fileStates, ...COLUMNS } = getTableColumns(observations);
type ObservationRow = Pick<typeof observations.$inferSelect, keyof typeof COLUMNS>;

/** Maximum number of pinned observations of a project that are read for a context. */
export const MAX_PINNED = 50;
const MAX_LABELS = 50;

/** Column names of the schema, for a statement that is not built for each row. */
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
  factOrigins: observations.factOrigins,
  fileStates: observations.fileStates,
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
type Written = Pick<typeof observations.$inferSelect, keyof typeof WRITTEN>;

/** The texts that the user can change. After a change, the record must be indexed again. */
const TEXT = [
  'type',
  'title',
  'subtitle',
  'narrative',
  'facts',
  'factOrigins',
  'concepts',
  'filesRead',
  'filesModified',
] as const satisfies readonly (keyof Written)[];

const observation: RowDecoder<ObservationRow, Observation> = {
  table: 'observations',
  decode: ({ factOrigins, ...row }) => ({
    ...row,
    facts: readFacts(readTextList(row.facts, 'facts'), factOrigins),
    concepts: readTextList(row.concepts, 'concepts'),
    filesRead: readTextList(row.filesRead, 'files_read'),
    filesModified: readTextList(row.filesModified, 'files_modified'),
    ...readOrigin(row),
    pinned: row.pinned === 1,
  }),
};

/** An unreadable origin counts as unknown, because the text of the record is still valid. */
function readFacts(texts: readonly string[], factOrigins: string): readonly Fact[] {
  const origins = readOrigins(factOrigins);
  return texts.map((text, at) => ({ text, origin: FACT_ORIGINS.find((one) => one === origins[at]) ?? null }));
}

function readOrigins(json: string): readonly unknown[] {
  try {
    const origins: unknown = JSON.parse(json);
    return Array.isArray(origins) ? origins : [];
  } catch {
    return [];
  }
}

/** The CHECK of the column `source` does not allow 'agent', and SQLite cannot change it without copying the table. */
const AGENT_COLUMNS = { source: 'manual', provider: 'agent' } as const;

const NOT_ONLY_BY_AGENT = sql`(${observations.source} <> ${AGENT_COLUMNS.source}
  OR ${observations.provider} IS NOT ${AGENT_COLUMNS.provider} OR ${observations.pinned} = 1)`;

function originColumns(source: ObservationSource, provider: string | null) {
  return source === 'agent' ? AGENT_COLUMNS : { source, provider };
}

function readOrigin({ source, provider }: Pick<ObservationRow, 'source' | 'provider'>) {
  if (source === AGENT_COLUMNS.source && provider === AGENT_COLUMNS.provider)
    return { source: 'agent', provider: null } as const;
  return { source: readOneOf(source, OBSERVATION_SOURCES, 'source'), provider };
}

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
  /** Stores the record even if it was forgotten, because the user saves it again. @default false */
  takeForgotten?: boolean;
}

export interface ObservationRecords {
  list(filter?: ObservationFilter): Page<Observation>;
  /** Newest first, with at most `MAX_AGENT_RECORDS` that agents saved and the user has not pinned. */
  newest(projectId: number, range: { limit: number; latest: number }): readonly Observation[];
  pinned(projectId: number): readonly Observation[];
  /** Newest first. */
  conversationRecords(
    projectId: number,
    options: { exceptSession: number; limit: number },
  ): readonly Observation[];
  titles(sessionId: number, limit: number): readonly string[];
  labels(): { types: readonly string[]; concepts: readonly string[] };
  /** In the order of the ids. Unknown ids are skipped. */
  byIds(ids: readonly number[]): readonly Observation[];
  /** Ids of the records that this one superseded, newest first, at most 20. */
  supersededBy(id: number): readonly number[];
  /**
   * Links the records that the given ones superseded to their replacements, or makes them current again. The caller
   * holds the transaction. Returns their number.
   */
  remove(ids: readonly number[]): number;
  /** Returns the observation of the project with the same content; of several, a current one, and the newest. */
  sameInProject(draft: ObservationDraft, projectId: number): Observation | null;
  /** Checks whether this content was forgotten in the project. */
  isForgotten(draft: ObservationDraft, projectId: number): boolean;
  /** Checks whether the draft would be stored with exactly this text. */
  hasText(known: Observation, draft: ObservationDraft): boolean;
  /**
   * Changes the text, unless another observation of the session has the same text. The caller holds the transaction.
   */
  updateText(
    known: Observation,
    change: Partial<ObservationDraft>,
    now: number,
  ): { kind: 'changed' } | { kind: 'same-content'; id: number };
  /**
   * Turns a record of an agent into a record of the user, who saved the same text. The caller holds the transaction.
   */
  markManual(id: number, now: number): void;
  /** Sets the pin and the replacement. The caller holds the transaction. */
  updateMarks(observation: Pick<Observation, 'id' | 'pinned' | 'supersededBy'>, now: number): void;
  /**
   * Returns null when the session has an observation with the same content, or the content was forgotten in the
   * project. The caller holds the transaction.
   */
  insert(draft: CommitReply['observations'][number], place: ObservationPlace): Observation | null;
}

export function createObservationRecords(
  database: Database,
  typed: TypedDatabase,
  logger: Logger,
): ObservationRecords {
  const forgotten = createForgotten(database);
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
  const findByIds = typed.select(COLUMNS).from(observations).where(idsIn(observations.id)).prepare();
  const columns = Object.values(WRITTEN).map(({ name }) => name);
  const values = Object.keys(WRITTEN).map((name) => `@${name}`);
  const insert = database.prepare(
    `INSERT INTO observations (${columns.join(', ')}) VALUES (${values.join(', ')})
       ON CONFLICT (session_id, content_hash) DO NOTHING`,
  );

  const inList = 'IN (SELECT value FROM json_each(?))';
  const passOn = database.prepare(`
    UPDATE observations SET superseded_by = (SELECT superseded_by FROM observations o WHERE o.id = observations.superseded_by)
    WHERE superseded_by ${inList}`);
  const revive = database.prepare(
    `UPDATE observations SET superseded_by = NULL WHERE superseded_by ${inList}`,
  );
  const remove = database.prepare(`DELETE FROM observations WHERE id ${inList}`);
  const set = (names: readonly string[]) =>
    `UPDATE observations SET ${names.join(', ')}, updated_at_epoch = @updatedAtEpoch WHERE id = @id`;
  // The states of the files belong to the previous text.
  const updateText = database.prepare(
    set([
      ...[...TEXT, 'contentHash' as const].map((name) => `${WRITTEN[name].name} = @${name}`),
      "file_states = '[]'",
    ]),
  );
  const updateMarks = database.prepare(set(['pinned = @pinned', 'superseded_by = @supersededBy']));
  const markManual = database.prepare(set(["source = 'manual'", 'provider = NULL']));
  const supersededBy = database
    .prepare(
      'SELECT id FROM observations WHERE superseded_by = ? ORDER BY created_at_epoch DESC, id DESC LIMIT 20',
    )
    .pluck();
  const conversationRecords = database
    .prepare(
      `SELECT o.id FROM sdk_sessions s JOIN observations o ON o.id = s.conversation_record_id
       WHERE s.project_id = :projectId AND s.conversation_record_id IS NOT NULL AND s.id <> :exceptSession
         AND o.superseded_by IS NULL
       ORDER BY o.created_at_epoch DESC, o.id DESC LIMIT :limit`,
    )
    .pluck();
  const inProject = database
    .prepare(
      // Uses the index over sessions, because there is no index from a project to content hashes.
      `SELECT id FROM observations WHERE session_id IN (SELECT id FROM sdk_sessions) AND content_hash = :contentHash
         AND project_id = :projectId ORDER BY superseded_by IS NOT NULL, id DESC LIMIT 1`,
    )
    .pluck();
  const sameContent = database
    .prepare('SELECT id FROM observations WHERE session_id = ? AND content_hash = ? AND id <> ?')
    .pluck();
  return {
    remove(ids) {
      const list = JSON.stringify(ids);
      for (let steps = 0; steps <= ids.length && passOn.run(list).changes > 0; steps += 1);
      revive.run(list);
      return remove.run(list).changes;
    },
    sameInProject(draft, projectId) {
      const ids = inProject.all({ projectId, contentHash: contentHashOf(bound(draft)) }) as number[];
      return this.byIds(ids)[0] ?? null;
    },
    isForgotten: (draft, projectId) => forgotten.hasContent(projectId, contentHashOf(bound(draft))),
    hasText(known, draft) {
      const [columns, knownColumns] = [toColumns(bound(draft)), toColumns(bound(known))];
      return TEXT.every((name) => columns[name] === knownColumns[name]);
    },
    updateText(known, change, now) {
      const bounded = bound({ ...known, ...change });
      const contentHash = contentHashOf(bounded);
      const twin = sameContent.get(known.sessionId, contentHash, known.id) as number | undefined;
      if (twin !== undefined) return { kind: 'same-content', id: twin };
      const {
        discoveryTokens: _,
        agentId: __,
        agentType: ___,
        fileStates: ____,
        ...written
      } = toColumns(bounded);
      updateText.run({ ...written, contentHash, updatedAtEpoch: now, id: known.id });
      return { kind: 'changed' };
    },
    updateMarks: ({ id, pinned, supersededBy }, now) =>
      void updateMarks.run({ id, pinned: Number(pinned), supersededBy, updatedAtEpoch: now }),
    markManual: (id, now) => void markManual.run({ id, updatedAtEpoch: now }),
    list(filter = {}) {
      const page = toPageRequest(filter);
      const rows = typed
        .select(COLUMNS)
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
    newest(projectId, { limit, latest }) {
      const read = (more?: SQL) =>
        typed
          .select(COLUMNS)
          .from(observations)
          .where(
            and(
              eq(observations.projectId, projectId),
              isNull(observations.supersededBy),
              lte(observations.createdAtEpoch, latest),
              more,
            ),
          )
          .orderBy(...newestFirst(observations))
          .limit(limit)
          .all();
      const rows = read();
      const byAgents = rows.filter((row) => readOrigin(row).source === 'agent' && row.pinned === 0);
      if (byAgents.length <= MAX_AGENT_RECORDS) return decode(rows);
      // Without this limit, an agent that saves many records would displace all other records.
      const merged = [...read(NOT_ONLY_BY_AGENT), ...byAgents.slice(0, MAX_AGENT_RECORDS)];
      merged.sort((a, b) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id);
      return decode(merged.slice(0, limit));
    },
    pinned(projectId) {
      const rows = typed
        .select(COLUMNS)
        .from(observations)
        .where(
          and(
            eq(observations.projectId, projectId),
            eq(observations.pinned, 1),
            isNull(observations.supersededBy),
          ),
        )
        .orderBy(...newestFirst(observations))
        .limit(MAX_PINNED)
        .all();
      return decode(rows);
    },
    conversationRecords(projectId, { exceptSession, limit }) {
      const ids = conversationRecords.all({ projectId, exceptSession, limit: Math.min(limit, MAX_LIMIT) });
      return this.byIds(ids as number[]);
    },
    labels: () => ({
      types: types.all(MAX_LABELS) as string[],
      concepts: concepts.all(MAX_LABELS) as string[],
    }),
    titles: (sessionId, limit) => (titles.all(sessionId, limit) as string[]).reverse(),
    supersededBy: (id) => supersededBy.all(id) as number[],
    byIds: (ids) => byIds(ids, (list) => decode(findByIds.all({ ids: list }))),
    insert(draft, place) {
      const { now, sessionId, projectId, promptNumber, provider } = place;
      const bounded = bound(draft);
      const contentHash = contentHashOf(bounded);
      const uid = place.uid ?? uuidV7(now);
      if (place.takeForgotten) forgotten.removeHashes({ uid, projectId, contentHash });
      else if (forgotten.hasContent(projectId, contentHash)) return null;
      const row: Written = {
        ...toColumns(bounded),
        contentHash,
        uid,
        ...originColumns(place.source ?? 'observer', provider),
        sessionId,
        projectId,
        promptNumber,
        model: storableOrNull(place.model, TEXT_LIMITS.model),
        createdAtEpoch: now,
        updatedAtEpoch: now,
      };
      const { changes, lastInsertRowid } = insert.run(row);
      if (changes === 0) return null;
      const { facts, concepts, filesRead, filesModified } = bounded;
      const lists = { facts, concepts, filesRead, filesModified };
      const rest = { id: Number(lastInsertRowid), pinned: false, supersededBy: null };
      const { factOrigins: _, fileStates: __, ...columns } = row;
      return { ...columns, ...lists, ...rest, ...readOrigin(row) };
    },
  };
}

/** The stored form. */
function bound(draft: CommitReply['observations'][number]) {
  return {
    type: storableText(draft.type, TEXT_LIMITS.type),
    title: storableOrNull(draft.title, TEXT_LIMITS.title),
    subtitle: storableOrNull(draft.subtitle, TEXT_LIMITS.subtitle),
    narrative: storableOrNull(draft.narrative, TEXT_LIMITS.narrative),
    facts: draft.facts
      .slice(0, LIST_LIMITS.facts)
      .map(({ text, origin }) => ({ text: storableText(text, TEXT_LIMITS.fact), origin })),
    concepts: storableList(draft.concepts, 'concept', 'concepts'),
    filesRead: storableList(draft.filesRead, 'file', 'files'),
    filesModified: storableList(draft.filesModified, 'file', 'files'),
    discoveryTokens: Math.max(0, Math.trunc(draft.discoveryTokens ?? 0)) || 0,
    agentId: storableOrNull(draft.agentId, TEXT_LIMITS.agent),
    agentType: storableOrNull(draft.agentType, TEXT_LIMITS.agent),
    fileStates: (draft.fileStates ?? [])
      .slice(0, 2 * LIST_LIMITS.files)
      .map(({ path, role, blob }) => ({ path: storableText(path, TEXT_LIMITS.file), role, blob })),
  };
}

type Bounded = ReturnType<typeof bound>;

function toColumns(bounded: Bounded) {
  return {
    ...bounded,
    facts: JSON.stringify(bounded.facts.map(({ text }) => text)),
    factOrigins: JSON.stringify(bounded.facts.map(({ origin }) => origin)),
    concepts: JSON.stringify(bounded.concepts),
    filesRead: JSON.stringify(bounded.filesRead),
    filesModified: JSON.stringify(bounded.filesModified),
    fileStates: JSON.stringify(bounded.fileStates),
  };
}
