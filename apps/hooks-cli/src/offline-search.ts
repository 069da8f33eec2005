import { existsSync } from 'node:fs';
import type { Memory } from '@claude-mem/search';
import { missingForEmbedder } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

/** The memory opened for searching, read-only, for when the worker is away; null when there is none yet. The caller disposes it. */
export async function openOfflineSearch({ loaded }: Pick<CommandContext, 'loaded'>): Promise<Memory | null> {
  const { paths, settings } = loaded;
  if (!existsSync(paths.database)) return null;
  // only now: no other command needs it
  const { openSearch } = await import('@claude-mem/search/by-settings');
  const needs = missingForEmbedder(settings);
  const missing =
    needs && `the embedder ${settings.embedder} ${needs.what}, so only words are searched. Run: ${needs.fix}`;
  return openSearch({ dataDir: paths.dataDir, settings, missing });
}
