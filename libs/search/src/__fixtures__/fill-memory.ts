import path from 'node:path';
import type { ImportedObservation } from '@claude-mem/core';
import { openStorage, openStorageReader } from '@claude-mem/storage';
import { openFlatIndex } from '../flat/index.js';
import { createVectorSync } from '../sync/index.js';
import { createUseLiteEmbedder } from '../embedders/use-lite/index.js';

/** Stores records with their vectors. What is known already is left as it is, so a second call costs nothing. */
export async function fillMemory(dataDir: string, records: readonly ImportedObservation[]): Promise<void> {
  const file = path.join(dataDir, 'claude-mem.db');
  await using storage = await openStorage({ file, backupsDir: path.join(dataDir, 'backups') });
  await storage.store.importRecords(records, { now: Date.now() });
  await using reader = openStorageReader({ file });
  await using embedder = createUseLiteEmbedder();
  const outbox = storage.vectors;
  await using index = openFlatIndex({ tables: reader.searchTables, writer: outbox, model: embedder.model });
  await createVectorSync({ outbox, embedder, index }).drain();
}
