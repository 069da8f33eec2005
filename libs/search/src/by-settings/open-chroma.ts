import path from 'node:path';
import type { Clock, Logger } from '@claude-mem/core';
import type { VectorIndex } from '../ports/vector-index.js';
import { isManagedChroma, type SearchSettings } from './search-settings.js';

/** @throws SearchError `search/bad-request` for an invalid address */
export async function openChroma(
  settings: SearchSettings,
  options: { dataDir: string; model: string; clock: Clock; logger: Logger },
): Promise<VectorIndex> {
  const { dataDir, model, clock, logger } = options;
  const { chromaUrl: url, chromaTenant: tenant, chromaDatabase: database, chromaToken: token } = settings;
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
