import type { MissingSetting } from './observer-setup.js';
import type { SettingKey, Settings } from './setting-definitions.js';

/** Returns the setting that the selected embedder needs, or null when none is missing. */
export function missingForEmbedder({
  embedder,
  embedderBaseUrl,
  embedderModel,
}: Settings): MissingSetting | null {
  if (embedder === 'openai-compatible' && embedderBaseUrl === '')
    return missing('CLAUDE_MEM_EMBEDDER_BASE_URL', 'has no address', 'http://127.0.0.1:11434/v1');
  const example = { 'openai-compatible': 'nomic-embed-text', transformers: 'Xenova/all-MiniLM-L6-v2' };
  if ((embedder === 'openai-compatible' || embedder === 'transformers') && embedderModel === '')
    return missing('CLAUDE_MEM_EMBEDDER_MODEL', 'has no model', example[embedder]);
  return null;
}

function missing(key: SettingKey, reason: string, example: string): MissingSetting {
  return { key, reason, fix: `claude-mem settings set ${key} ${example}` };
}
