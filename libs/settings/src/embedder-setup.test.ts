import { describe, expect, it } from 'vitest';
import { missingForEmbedder } from './embedder-setup.js';
import { loadSettings } from './load-settings.js';

describe('missingForEmbedder', () => {
  const missing = (env: Record<string, string>) =>
    missingForEmbedder(loadSettings({ env, home: '/nowhere/at/all' }).settings)?.key ?? null;

  it('is nothing for what works by itself', () => {
    expect(missing({})).toBeNull();
    expect(missing({ CLAUDE_MEM_EMBEDDER: 'none' })).toBeNull();
  });

  it('is the model of what has none of its own', () => {
    const chosen = { CLAUDE_MEM_EMBEDDER: 'transformers' };
    expect(missing(chosen)).toBe('CLAUDE_MEM_EMBEDDER_MODEL');
    expect(missing({ ...chosen, CLAUDE_MEM_EMBEDDER_MODEL: 'm' })).toBeNull();
  });

  it('is the address, then the model of a server', () => {
    const chosen = { CLAUDE_MEM_EMBEDDER: 'openai-compatible' };
    const withAddress = { ...chosen, CLAUDE_MEM_EMBEDDER_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(missing(chosen)).toBe('CLAUDE_MEM_EMBEDDER_BASE_URL');
    expect(missing(withAddress)).toBe('CLAUDE_MEM_EMBEDDER_MODEL');
    expect(missing({ ...withAddress, CLAUDE_MEM_EMBEDDER_MODEL: 'm' })).toBeNull();
  });
});
