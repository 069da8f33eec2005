import { noopLogger, systemClock } from '@claude-mem/core';
import type { Memory } from '../memory.js';
import type { VectorIndex } from '../ports/vector-index.js';
import { SearchError } from '../search-error.js';
import { openChroma } from './open-chroma.js';
import { openEmbedder } from './open-embedder.js';
import { isManagedChroma, isMeaningOff, type SearchSettings } from './search-settings.js';

/** A program that runs one search waits until the embedder is loaded. */
const VECTOR_TIMEOUT_MS = 5_000;

/**
 * Opens a memory for a few searches with the given settings. A managed Chroma server belongs to the worker and is not
 * started here; the search is then lexical only.
 * @throws SearchError `search/no-memory`
 */
export async function openSearch(options: {
  dataDir: string;
  settings: SearchSettings;
  /**
   * Returns what must be configured before semantic search works, as a sentence for the user. Null when nothing is
   * missing.
   */
  missing?: string | null;
  /** Milliseconds that a search waits for the embedder and the vectors. @default 5,000 */
  vectorTimeoutMs?: number;
}): Promise<Memory> {
  const { dataDir, settings, missing = null, vectorTimeoutMs = VECTOR_TIMEOUT_MS } = options;
  const { openMemory } = await import('../open-memory.js');
  const isChroma = settings.vectorIndex === 'chroma';
  const parts = { dataDir, clock: systemClock, logger: noopLogger };
  const whyNoVectors = missing ?? (isChroma && isManagedChroma(settings) ? WITH_THE_WORKER : null);
  if (!isMeaningOff(settings) && whyNoVectors !== null)
    return openMemory({ dataDir, vectors: 'none', whyNoVectors });
  const embedder = isMeaningOff(settings) ? null : await openEmbedder(settings, parts);
  if (embedder === null) return openMemory({ dataDir, vectors: 'none' });
  const index = isChroma ? await orReason(openChroma(settings, { ...parts, model: embedder.model })) : 'flat';
  if (typeof index === 'object' && 'reason' in index) {
    await embedder.close();
    return openMemory({ dataDir, vectors: 'none', whyNoVectors: index.reason });
  }
  const closeParts = async () => {
    if (typeof index === 'object') await index.close();
    await embedder.close();
  };
  try {
    const memory = await openMemory({ dataDir, vectors: index, embedder, vectorTimeoutMs });
    const close = async () => {
      await memory.close();
      await closeParts();
    };
    return { ...memory, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

const WITH_THE_WORKER =
  'only words were searched: Chroma runs with the worker, which is away (claude-mem start)';

/** An invalid address disables only semantic search. */
async function orReason(index: Promise<VectorIndex>): Promise<VectorIndex | { reason: string }> {
  try {
    return await index;
  } catch (error) {
    if (SearchError.isInstance(error)) return { reason: error.message };
    throw error;
  }
}
