import type { Clock, Logger, VectorOutbox } from '@claude-mem/core';
import type { SearchTables } from '@claude-mem/storage';
import type { VectorIndex } from '../ports/vector-index.js';
import { openChroma } from './open-chroma.js';
import type { SearchSettings } from './search-settings.js';

/** Opens the configured vector index for writing, or returns null. Starts a managed Chroma server. */
export async function openVectorIndex(
  settings: SearchSettings,
  options: {
    dataDir: string;
    model: string;
    tables: SearchTables;
    writer: VectorOutbox;
    clock: Clock;
    logger: Logger;
  },
): Promise<VectorIndex | null> {
  switch (settings.vectorIndex) {
    case 'none':
      return null;
    case 'flat': {
      const { tables, writer, model, clock } = options;
      const { openFlatIndex } = await import('../flat/index.js');
      return openFlatIndex({ tables, writer, model, clock });
    }
    case 'chroma':
      return openChroma(settings, options);
  }
}
