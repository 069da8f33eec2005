import path from 'node:path';
import type { Clock, Logger, VectorOutbox } from '@claude-mem/core';
import type { SearchTables } from '@claude-mem/storage/search-tables';
import type { VectorIndex } from '../ports/vector-index.js';
import { isManagedChroma, type SearchSettings } from './search-settings.js';

/** The chosen index, for writing; null for none. A Chroma server of our own is started. */
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
  const { dataDir, model, tables, writer, clock, logger } = options;
  const { chromaUrl: url, chromaTenant: tenant, chromaDatabase: database, chromaToken: token } = settings;
  switch (settings.vectorIndex) {
    case 'none':
      return null;
    case 'flat': {
      const { openFlatIndex } = await import('../flat/open-flat-index.js');
      return openFlatIndex({ tables, writer, model, clock });
    }
    case 'chroma': {
      const { openChromaIndex } = await import('../chroma/index.js');
      return openChromaIndex({
        ...(isManagedChroma(settings) ? { managed: { dataDir: path.join(dataDir, 'chroma') } } : { url }),
        ...(tenant === '' ? {} : { tenant }),
        ...(database === '' ? {} : { database }),
        ...(token === '' ? {} : { token }),
        model,
        clock,
        logger,
      });
    }
  }
}
