import path from 'node:path';
import { ClaudeMemError, type Clock, type Logger } from '@claude-mem/core';
import type { Memory, VectorIndex } from '@claude-mem/search';
import type { VectorSync } from '@claude-mem/search/sync';
import { missingForEmbedder, type DataPaths, type Settings } from '@claude-mem/settings';
import { openStorageReader, type Storage, type StorageReader } from '@claude-mem/storage';

/** Search is opened again when one of these settings changes. */
export const SEARCH_SETTINGS: readonly (keyof Settings)[] = [
  'vectorIndex',
  'chromaUrl',
  'chromaTenant',
  'chromaDatabase',
  'chromaToken',
  'embedder',
  'embedderModel',
  'embedderBaseUrl',
  'embedderApiKey',
];

/** The parts of search for given settings. */
export interface SearchParts {
  /** The memory, opened for reading on the first call. */
  memory(): Promise<Memory>;
  isOpen(): boolean;
  /** The synchronization of the vectors. Null when semantic search is disabled or not configured. */
  sync: VectorSync | null;
  model: string | null;
  /** What must be configured first. Null when nothing is missing. */
  missing: string | null;
  close(): Promise<void>;
}

/** Opens embedder and vector index with the settings. They load their packages on first use. */
export async function openSearchParts({
  paths,
  settings,
  storage,
  clock,
  log,
}: {
  paths: DataPaths;
  settings: Settings;
  storage: Storage;
  clock: Clock;
  log: Logger;
}): Promise<SearchParts> {
  const { isMeaningOff, openEmbedder, openVectorIndex, vectorTarget } =
    await import('@claude-mem/search/by-settings');
  const { dataDir } = paths;
  const common = { clock, logger: log };
  const embedder = isMeaningOff(settings) ? null : await openEmbedder(settings, common);
  let reader: StorageReader | null = null;
  let index: VectorIndex | null = null;
  let memory: Promise<Memory> | null = null;
  let isOpen = false;
  let sync: VectorSync | null = null;
  let missing: string | null = null;
  const close = async () => {
    await memory?.then((opened) => opened.close()).catch(() => undefined);
    await index?.close();
    await embedder?.close();
    await reader?.close();
  };
  try {
    if (embedder !== null) {
      reader = openStorageReader({ file: paths.database, logger: log });
      const needs = missingForEmbedder(settings);
      if (needs !== null)
        missing = `The embedder ${settings.embedder} ${needs.reason}; until then only words are searched. Run: ${needs.fix}`;
      try {
        index = await openVectorIndex(settings, {
          ...common,
          dataDir,
          model: embedder.model,
          tables: reader.searchTables,
          writer: storage.vectors,
        });
      } catch (error) {
        // An invalid address disables only semantic search.
        if (!ClaudeMemError.isInstance(error)) throw error;
        missing ??= `Only words are searched: ${error.message}.`;
      }
      if (index !== null && missing === null) {
        const { createVectorSync } = await import('@claude-mem/search/sync');
        const target = vectorTarget(settings, embedder.model);
        // At once, so that the number of waiting records is known. When nothing can be written now, the synchronization
        // repeats it later.
        const withRemoved = settings.vectorIndex !== 'flat';
        await storage.vectors.useTarget(target, { withRemoved }).catch((error: unknown) => {
          log.warn({ error }, 'What waits for vectors could not be written down');
        });
        sync = createVectorSync({ ...common, outbox: storage.vectors, embedder, index, target });
      }
    }
  } catch (error) {
    await close();
    throw error;
  }

  const openMemory = async () => {
    const search = await import('@claude-mem/search');
    const reading = await search.openMemory({
      ...common,
      dataDir: path.dirname(paths.database),
      embedder: embedder ?? 'none',
      vectors: index === null ? 'none' : settings.vectorIndex === 'flat' ? 'flat' : index,
      ...(missing !== null && { whyNoVectors: missing }),
    });
    isOpen = true;
    return reading;
  };
  return {
    memory() {
      memory ??= openMemory().catch((error: unknown) => {
        memory = null;
        throw error;
      });
      return memory;
    },
    isOpen: () => isOpen,
    sync,
    model: missing === null ? (embedder?.model ?? null) : null,
    missing,
    close,
  };
}
