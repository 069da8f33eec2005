import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStorage, openStorageReader, type Storage } from '@claude-mem/storage';
import type { SearchTables } from '@claude-mem/storage';
import type { VectorMetadata } from '../../ports/vector-index.js';

export interface TestMemory extends AsyncDisposable {
  folder: string;
  storage: Storage;
  tables: SearchTables;
  observe(observation: { project: string; type: string; createdAtEpoch: number }): Promise<VectorMetadata>;
}

/** A database in a folder of its own, written by one connection and read by another. */
export async function openTestMemory(): Promise<TestMemory> {
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-flat-'));
  const file = path.join(folder, 'claude-mem.db');
  const storage = await openStorage({ file, backupsDir: path.join(folder, 'backups') });
  const reader = openStorageReader({ file });
  let lastId = 0;
  return {
    folder,
    storage,
    tables: reader.searchTables,
    async observe({ project, type, createdAtEpoch }) {
      const [observation] = await observeAll(storage, [{ project, type, createdAtEpoch }], lastId);
      lastId = observation!.observationId;
      return observation!;
    },
    async [Symbol.asyncDispose]() {
      await reader.close();
      await storage.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Stores observations without duplicates and returns them in order. */
export async function observeAll(
  storage: Storage,
  observations: readonly { project: string; type: string; createdAtEpoch: number }[],
  afterId: number,
): Promise<readonly VectorMetadata[]> {
  const { inserted } = await storage.store.importRecords(
    observations.map(({ project, type, createdAtEpoch }, at) => ({
      uid: `synthetic-${afterId}-${at}`,
      project: `/synthetic/${project}`,
      session: null,
      promptNumber: 0,
      createdAtEpoch,
      type,
      title: `Observation ${afterId}-${at}`,
      subtitle: null,
      narrative: null,
      facts: [],
      concepts: [],
      filesRead: [],
      filesModified: [],
    })),
    { now: 1 },
  );
  if (inserted !== observations.length) throw new Error('an observation was not stored');
  const found = await storage.store.observationsByIds(observations.map((_, at) => afterId + 1 + at));
  return found.map((one) => ({
    observationId: one.id,
    projectId: one.projectId,
    type: one.type,
    createdAtEpoch: one.createdAtEpoch,
  }));
}
