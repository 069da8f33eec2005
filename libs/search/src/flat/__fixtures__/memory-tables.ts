import { KIND_NUMBERS, type DocumentRow, type SearchTables } from '@claude-mem/storage/search-tables';
import type { FlatIndexOptions } from '../open-flat-index.js';

interface Row {
  id: number;
  model: string;
  observationId: number;
  documentId: string;
  scale: number;
  contentHash: string;
  vector: Uint8Array;
}

/** The tables that the flat index reads and writes, without a database. */
export function createMemoryTables() {
  const documents: DocumentRow[] = [];
  const removals: { id: number; documentId: null; vectorId: number }[] = [];
  let rows: Row[] = [];
  let lastVectorId = 0;
  let version = 1;

  const removeWhere = (isRemoved: (row: Row) => boolean) => {
    for (const row of rows.filter(isRemoved))
      removals.push({ id: removals.length + 1, documentId: null, vectorId: row.id });
    rows = rows.filter((row) => !isRemoved(row));
    version += 1;
  };
  const writer: NonNullable<FlatIndexOptions['writer']> = {
    async putVectors(request) {
      const ids = new Set(request.rows.map(({ documentId }) => documentId));
      removeWhere((row) => row.model === request.model && ids.has(row.documentId));
      for (const row of request.rows) {
        lastVectorId += 1;
        rows.push({ ...row, id: lastVectorId, model: request.model });
      }
    },
    async removeVectors({ observationIds = [], documentIds = [], all }) {
      const observations = new Set(observationIds);
      const ids = new Set(documentIds);
      const before = rows.length;
      removeWhere((row) => all === true || observations.has(row.observationId) || ids.has(row.documentId));
      return before - rows.length;
    },
    async vectorHashes({ model, observationIds }) {
      return rows.filter((row) => row.model === model && observationIds.includes(row.observationId));
    },
  };
  const tables = {
    snapshot: (work: () => unknown) => work(),
    dataVersion: () => version,
    state: () => ({
      generation: 1,
      epoch: 1,
      analysisVersion: 1,
      lastDocumentId: documents.length,
      lastRemovalId: removals.length,
      lastVectorId,
      indexed: 0,
      total: 0,
    }),
    *documentsAfter(id: number) {
      yield* documents.slice(id);
    },
    removalsAfter: (id: number) => removals.slice(id),
    *vectorsAfter(id: number, model: string) {
      for (const row of rows)
        if (row.id > id && row.model === model)
          yield [row.id, row.observationId, row.documentId, row.scale, row.vector] as const;
    },
    vectorsById(ids: readonly number[]) {
      const wanted = new Set(ids);
      return rows.filter((row) => wanted.has(row.id));
    },
    vectorModels() {
      const groups = new Map<string, { model: string; dimensions: number; count: number }>();
      for (const { model, vector } of rows) {
        const group = groups.get(`${model} ${vector.length}`) ?? {
          model,
          dimensions: vector.length,
          count: 0,
        };
        groups.set(`${model} ${vector.length}`, { ...group, count: group.count + 1 });
      }
      return [...groups.values()];
    },
  } as unknown as SearchTables;

  return {
    tables,
    writer,
    addObservation(observation: { projectId: number; type: string; createdAtEpoch: number }) {
      const id = documents.length + 1;
      const { projectId, type, createdAtEpoch } = observation;
      documents.push([
        id,
        KIND_NUMBERS.observation,
        id,
        projectId,
        1,
        0,
        createdAtEpoch,
        type,
        new Uint8Array(),
      ]);
      version += 1;
      return { observationId: id, ...observation };
    },
  };
}
