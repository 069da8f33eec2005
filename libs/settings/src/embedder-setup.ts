import type { MissingSetting } from './observer-setup.js';
import type { Settings } from './setting-definitions.js';

/** What has to be set before the chosen embedder can work; null when nothing is missing. */
export function missingForEmbedder(settings: Settings): MissingSetting | null {
  if (settings.embedder !== 'openai-compatible') return null;
  if (settings.embedderBaseUrl === '')
    return {
      key: 'CLAUDE_MEM_EMBEDDER_BASE_URL',
      what: 'has no address',
      fix: 'claude-mem settings set CLAUDE_MEM_EMBEDDER_BASE_URL http://127.0.0.1:11434/v1',
    };
  return settings.embedderModel === ''
    ? {
        key: 'CLAUDE_MEM_EMBEDDER_MODEL',
        what: 'has no model',
        fix: 'claude-mem settings set CLAUDE_MEM_EMBEDDER_MODEL NAME',
      }
    : null;
}
