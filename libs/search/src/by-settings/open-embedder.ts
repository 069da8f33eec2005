import type { Clock, Logger } from '@claude-mem/core';
import type { Embedder } from '../ports/embedder.js';
import type { SearchSettings } from './search-settings.js';

/**
 * Creates the configured embedder, or null. Its package is loaded with the first text, which fails when the package
 * is missing.
 */
export async function openEmbedder(
  settings: SearchSettings,
  options: { clock: Clock; logger: Logger },
): Promise<Embedder | null> {
  const { embedder, embedderModel: model, embedderBaseUrl: baseUrl, embedderApiKey: apiKey } = settings;
  switch (embedder) {
    case 'none':
      return null;
    case 'use-lite': {
      const { createUseLiteEmbedder } = await import('../embedders/use-lite/index.js');
      return createUseLiteEmbedder(options);
    }
    case 'transformers': {
      const { createTransformersEmbedder } = await import('../embedders/transformers/index.js');
      return createTransformersEmbedder({ model });
    }
    case 'openai-compatible': {
      const { createOpenAiCompatibleEmbedder } = await import('../embedders/openai-compatible/index.js');
      return createOpenAiCompatibleEmbedder({ baseUrl, model, ...(apiKey === '' ? {} : { apiKey }) });
    }
  }
}
