import type { Database } from '../database/driver.js';
import {
  KIND_NUMBERS,
  type ObservationHead,
  type SearchTables,
  type SearchTablesState,
} from '../search-tables.js';
import { decodeDocumentRows } from './document-row.js';
import { createLabelReader } from './label-reader.js';
import { BLOCKS_PER_TERM } from './fold-documents.js';

const DOCUMENTS_PER_READ = 4_096;
const VECTORS_PER_READ = 256;
const MAX_FOUND = 1_000_000;

type Vector = readonly [
  id: number,
  observationId: number,
  documentId: string,
  scale: number,
  vector: Uint8Array,
];

export function createSearchTables(database: Database): SearchTables {
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const dataVersion = database.prepare('PRAGMA data_version').pluck();
  const sequence = (table: string) =>
    `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`;
  const stateValue = (name: string) => `coalesce((SELECT value FROM search_state WHERE name = '${name}'), 0)`;
  const state =
    database.prepare(`SELECT ${stateValue('generation')} AS generation, ${stateValue('epoch')} AS epoch,
    ${stateValue('analysis-version')} AS analysisVersion, max(${stateValue('documents')}, 0) AS indexed,
    max(${stateValue('documents')}, 0) + (SELECT count(*) FROM search_pending) AS total,
    ${sequence('search_documents')} AS lastDocumentId, ${sequence('search_removals')} AS lastRemovalId,
    ${sequence('vectors')} AS lastVectorId`);
  const lastOf = database
    .prepare('SELECT max(id) FROM (SELECT id FROM search_documents WHERE id > ? ORDER BY id LIMIT ?)')
    .pluck();
  const documents = database
    .prepare(
      `SELECT CAST(group_concat(data, '') AS BLOB) FROM (
      SELECT data FROM search_documents WHERE id > ? AND id <= ? ORDER BY id)`,
    )
    .pluck();
  const removals = database.prepare(
    'SELECT id, document_id AS documentId, vector_id AS vectorId FROM search_removals WHERE id > ? ORDER BY id',
  );
  const unfolded = database.prepare(
    'SELECT document_id AS documentId, terms FROM search_unfolded WHERE document_id > ? ORDER BY document_id',
  );
  const termId = database.prepare('SELECT id FROM search_terms WHERE term = ?').pluck();
  const termsBetween = database.prepare(
    'SELECT id, term FROM search_terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?',
  );
  const blocks = database
    .prepare('SELECT data FROM search_postings WHERE id >= ? AND id < ? ORDER BY id')
    .pluck();
  const match = createMatch(database);
  const vectorColumns = 'id, observation_id, document_id, scale, vector FROM vectors';
  // one row for many: a row each costs several times what it takes to read it;
  // the plus sign keeps SQLite from the index of models, which would sort all that is left for each read
  const vectorsAfter = database
    .prepare(
      `SELECT json_group_array(id), json_group_array(observation_id), json_group_array(document_id),
        json_group_array(scale), json_group_array(octet_length(vector)),
        CAST(coalesce(group_concat(vector, ''), '') AS BLOB)
      FROM (SELECT ${vectorColumns} WHERE id > ? AND +model = ? ORDER BY id LIMIT ${VECTORS_PER_READ})`,
    )
    .raw();
  const vectorsById = database
    .prepare(`SELECT ${vectorColumns} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`)
    .raw();
  const vectorValues = database.prepare(`
    SELECT json_group_array(id) AS ids, CAST(coalesce(group_concat(vector, ''), '') AS BLOB) AS bytes FROM (
      SELECT id, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id)`);
  const sessionHosts = database.prepare('SELECT id, host FROM sdk_sessions WHERE id > ? ORDER BY id');
  const outboxCount = database.prepare('SELECT count(*) FROM index_outbox').pluck();

  return {
    snapshot(work) {
      if (database.inTransaction) return work();
      begin.run();
      try {
        return work();
      } finally {
        if (database.inTransaction) commit.run();
      }
    },
    dataVersion: () => dataVersion.get() as number,
    state: () => state.get() as SearchTablesState,
    *documentsAfter(id) {
      for (let after = id; ;) {
        const last = lastOf.get(after, DOCUMENTS_PER_READ) as number | null;
        if (last === null) return;
        for (const row of decodeDocumentRows(documents.get(after, last) as Uint8Array)) yield row;
        after = last;
      }
    },
    removalsAfter: (id) => removals.all(id) as ReturnType<SearchTables['removalsAfter']>,
    unfoldedAfter: (id) => unfolded.all(id) as ReturnType<SearchTables['unfoldedAfter']>,
    termId: (term) => termId.get(term) as number | undefined,
    termsWithPrefix: (prefix, limit) =>
      termsBetween.all(prefix, `${prefix}\u{10ffff}`, limit) as ReturnType<SearchTables['termsWithPrefix']>,
    postings: (id) => blocks.all(id * BLOCKS_PER_TERM, (id + 1) * BLOCKS_PER_TERM) as Uint8Array[],
    matchSyntax: match,
    changingObservations: createChangingObservations(database),
    sessionHosts: (afterId) => sessionHosts.all(afterId) as ReturnType<SearchTables['sessionHosts']>,
    labelsOf: createLabelReader(database),
    *vectorsAfter(id, model) {
      for (let after = id; ;) {
        const columns = vectorsAfter.get(after, model) as [...json: string[], bytes: Uint8Array];
        const bytes = columns.pop() as Uint8Array;
        const [ids, observationIds, documentIds, scales, sizes] = (columns as string[]).map(
          (json) => JSON.parse(json) as unknown,
        ) as [number[], number[], string[], number[], number[]];
        let at = 0;
        for (const [row, vectorId] of ids.entries()) {
          const end = at + sizes[row]!;
          yield [vectorId, observationIds[row]!, documentIds[row]!, scales[row]!, bytes.subarray(at, end)];
          at = end;
        }
        const last = ids.at(-1);
        if (last === undefined || ids.length < VECTORS_PER_READ) return;
        after = last;
      }
    },
    vectorsById: (ids) =>
      (vectorsById.all(JSON.stringify(ids)) as Vector[]).map(
        ([id, observationId, documentId, scale, vector]) => ({
          id,
          documentId,
          observationId,
          scale,
          vector,
        }),
      ),
    vectorValues(ids) {
      const found = vectorValues.get(JSON.stringify(ids)) as { ids: string; bytes: Uint8Array };
      return { ids: JSON.parse(found.ids) as number[], bytes: found.bytes };
    },
    vectorModels: createVectorModels(database),
    outboxCount: () => outboxCount.get() as number,
  };
}

function createChangingObservations(database: Database): SearchTables['changingObservations'] {
  const firstOf = (column: string) => `iif(json_valid(${column}), ${column} ->> 0, NULL)`;
  const heads = `SELECT id, project_id AS projectId, type, title, superseded_by AS supersededBy,
      created_at_epoch AS createdAtEpoch, coalesce(${firstOf('files_modified')}, ${firstOf('files_read')}) AS file
    FROM observations WHERE id IN (SELECT value FROM json_each(?))`;
  const changing = database.prepare(
    // not every number is made of the ten digits
    `${heads} AND (superseded_by IS NOT NULL OR title GLOB '*[0-9]*' OR length(CAST(title AS BLOB)) > length(title))`,
  );
  const all = database.prepare(heads);
  return (ids) => {
    const found = changing.all(JSON.stringify(ids)) as ObservationHead[];
    const known = new Set(found.map(({ id }) => id));
    const wanted = new Set(ids);
    const successors = found.flatMap(({ supersededBy: id }) =>
      id !== null && wanted.has(id) && !known.has(id) ? id : [],
    );
    return successors.length === 0
      ? found
      : [...found, ...(all.all(JSON.stringify([...new Set(successors)])) as ObservationHead[])];
  };
}

/**
 * Asked for by every search, so all vectors are counted once and then only those that came. A removal does not say which model it
 * was of: after one, all are counted again.
 */
function createVectorModels(database: Database): SearchTables['vectorModels'] {
  const marks = database.prepare(`SELECT
    coalesce((SELECT value FROM search_state WHERE name = 'epoch'), 0) AS epoch,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0) AS vectorId,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_removals'), 0) AS removalId`);
  const hasRemovals = database
    .prepare('SELECT EXISTS (SELECT 1 FROM search_removals WHERE id > ? AND vector_id IS NOT NULL)')
    .pluck();
  const groups = 'GROUP BY model, dimensions ORDER BY model, dimensions';
  const counted = 'SELECT model, dimensions, count(*) AS count FROM vectors';
  const countAll = database.prepare(`${counted} INDEXED BY vectors_model WHERE +id <= ? ${groups}`);
  const countNew = database.prepare(`${counted} NOT INDEXED WHERE id > ? AND id <= ? ${groups}`);
  let models: ReturnType<SearchTables['vectorModels']> = [];
  let known: { epoch: number; vectorId: number; removalId: number } | null = null;

  return () => {
    const now = marks.get() as NonNullable<typeof known>;
    if (now.epoch !== known?.epoch || now.vectorId < known.vectorId || hasRemovals.get(known.removalId) === 1)
      models = countAll.all(now.vectorId) as typeof models;
    else if (now.vectorId > known.vectorId)
      models = sumOf(models, countNew.all(known.vectorId, now.vectorId) as typeof models);
    known = now;
    return models;
  };
}

function sumOf(
  models: ReturnType<SearchTables['vectorModels']>,
  added: ReturnType<SearchTables['vectorModels']>,
): ReturnType<SearchTables['vectorModels']> {
  const isSame = (one: (typeof models)[number]) => (other: (typeof models)[number]) =>
    other.model === one.model && other.dimensions === one.dimensions;
  return [
    ...models.map((one) => ({ ...one, count: one.count + (added.find(isSame(one))?.count ?? 0) })),
    ...added.filter((one) => !models.some(isSame(one))),
  ];
}

function createMatch(database: Database): SearchTables['matchSyntax'] {
  const prepare = (table: string) =>
    database.prepare(
      `SELECT rowid AS recordId, -rank AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    );
  const statements: Record<keyof typeof KIND_NUMBERS, ReturnType<typeof prepare>> = {
    observation: prepare('observations_fts'),
    summary: prepare('session_summaries_fts'),
    prompt: prepare('user_prompts_fts'),
  };
  return (kind, expression, limit) => {
    try {
      const found = statements[kind].all(expression, Math.min(Math.max(Math.trunc(limit), 0), MAX_FOUND));
      return found as { recordId: number; score: number }[];
    } catch (error) {
      // FTS5 reports a malformed expression, and a column that it does not have, as a plain error.
      if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'SQLITE_ERROR') return null;
      throw error;
    }
  };
}
