import { noopLogger, systemClock } from '@claude-mem/core';
import type { Memory } from '../memory.js';
import { openEmbedder } from './open-embedder.js';
import { isManagedChroma, isMeaningOff, type SearchSettings } from './search-settings.js';

/** A program that asks once waits until the embedder is loaded. */
const PATIENCE_MS = 5_000;

/**
 * Opens a memory for one or a few searches, by the settings. A Chroma server of our own belongs to the worker and is not
 * started for that: then only words are searched.
 * @throws SearchError `search/no-memory`
 */
export async function openSearch(options: { dataDir: string; settings: SearchSettings }): Promise<Memory> {
  const { dataDir, settings } = options;
  const { openMemory } = await import('../open-memory.js');
  if (isMeaningOff(settings) || (settings.vectorIndex === 'chroma' && isManagedChroma(settings)))
    return openMemory({ dataDir, vectors: 'none', embedder: 'none' });
  const parts = { clock: systemClock, logger: noopLogger };
  const embedder = await openEmbedder(settings, parts);
  const memory = await openMemory({
    dataDir,
    embedder: embedder ?? 'none',
    vectorPatienceMs: PATIENCE_MS,
  });
  const close = async () => {
    await memory.close();
    await embedder?.close();
  };
  return { ...memory, close, [Symbol.asyncDispose]: close };
}
