import { existsSync } from 'node:fs';
import type { Memory } from '@claude-mem/search';
import { missingForEmbedder } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

/** Opens the database read-only with its search indexes. Returns null when it does not exist. The caller must dispose the result. */
export async function openOfflineSearch({ loaded }: Pick<CommandContext, 'loaded'>): Promise<Memory | null> {
  const { paths, settings } = loaded;
  if (!existsSync(paths.database)) return null;
  // imported lazily, because no other command needs it
  const { openSearch } = await import('@claude-mem/search/by-settings');
  const needs = missingForEmbedder(settings);
  const missing =
    needs &&
    `the embedder ${settings.embedder} ${needs.reason}, so search is only lexical. Run: ${needs.fix}`;
  return openSearch({ dataDir: paths.dataDir, settings, missing });
}
