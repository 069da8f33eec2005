import { createIndexReader } from '@claude-mem/lexical-index';
import type { Database } from '../database/driver.js';
import { createLabelReader } from './label-reader.js';
import type { ObservationHead, SearchTables } from './search-tables.js';

const VECTORS_PER_READ = 256;

type Vector = readonly [
  id: number,
  observationId: number,
  documentId: string,
  scale: number,
  vector: Uint8Array,
];

export function createSearchTables(database: Database): SearchTables {
  const vectorColumns = 'id, observation_id, document_id, scale, vector FROM vectors';
  // One row for many values, because separate rows cost several times as much. The plus sign prevents the index over
  // models, with which each read would sort all remaining rows.
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
  const lastVectorId = database
    .prepare(`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0)`)
    .pluck();
  const outboxCount = database.prepare('SELECT count(*) FROM index_outbox').pluck();

  return {
    ...createIndexReader(database),
    changingObservations: createChangingObservations(database),
    labelsOf: createLabelReader(database),
    lastVectorId: () => lastVectorId.get() as number,
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
    // A number in a title can contain other digits than 0 to 9.
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
 * Every search calls this, so all vectors are counted only once, and then only new ones. A removal does not contain
 * its model, so all vectors are counted again after one.
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
