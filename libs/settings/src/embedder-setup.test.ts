import { describe, expect, it } from 'vitest';
import { missingForEmbedder } from './embedder-setup.js';
import { loadSettings } from './load-settings.js';

describe('missingForEmbedder', () => {
  const missing = (env: Record<string, string>) =>
    missingForEmbedder(loadSettings({ env, home: '/nowhere/at/all' }).settings)?.key ?? null;

  it('returns null when the embedder needs no settings', () => {
    expect(missing({})).toBeNull();
    expect(missing({ CLAUDE_MEM_EMBEDDER: 'none' })).toBeNull();
  });

  it('returns the model when the embedder has no default model', () => {
    const chosen = { CLAUDE_MEM_EMBEDDER: 'transformers' };
    expect(missing(chosen)).toBe('CLAUDE_MEM_EMBEDDER_MODEL');
    expect(missing({ ...chosen, CLAUDE_MEM_EMBEDDER_MODEL: 'm' })).toBeNull();
  });

  it('returns the missing server address first, then the missing model', () => {
    const chosen = { CLAUDE_MEM_EMBEDDER: 'openai-compatible' };
    const withAddress = { ...chosen, CLAUDE_MEM_EMBEDDER_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(missing(chosen)).toBe('CLAUDE_MEM_EMBEDDER_BASE_URL');
    expect(missing(withAddress)).toBe('CLAUDE_MEM_EMBEDDER_MODEL');
    expect(missing({ ...withAddress, CLAUDE_MEM_EMBEDDER_MODEL: 'm' })).toBeNull();
  });
});
