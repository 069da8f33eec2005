import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import { sendJson, startFakeServer } from '../chroma/__fixtures__/fake-server.js';
import { openSearch } from './open-search.js';
import type { SearchSettings } from './search-settings.js';

const SETTINGS: SearchSettings = {
  vectorIndex: 'chroma',
  chromaUrl: 'managed',
  chromaTenant: '',
  chromaDatabase: '',
  chromaToken: 'token-of-chroma',
  embedder: 'use-lite',
  embedderModel: '',
  embedderBaseUrl: '',
  embedderApiKey: '',
};

describe('search opened from settings', () => {
  let test: TestMemory;
  beforeEach(async () => {
    test = await openTestMemory();
    await test.remember({ title: 'The webhook is signed' });
  });
  afterEach(() => test[Symbol.asyncDispose]());

  const ask = async (settings: Partial<SearchSettings>) => {
    await using memory = await openSearch({
      dataDir: test.dataDir,
      settings: { ...SETTINGS, ...settings },
      // The timeout is long, so that no test depends on the time to load the embedder.
      vectorTimeoutMs: 60_000,
    });
    const answer = await memory.search({ query: 'webhook' });
    expect(answer.items).toHaveLength(1);
    return answer;
  };

  it('queries the configured Chroma server and reports a failed query without the token', async () => {
    await using server = await startFakeServer((_, response) =>
      sendJson(response, { error: 'InternalError', message: 'out of order' }, 500),
    );
    const { degraded } = await ask({ chromaUrl: server.url });
    expect(server.requests.length).toBeGreaterThan(0);
    expect(degraded).toEqual([{ part: 'vectors', reason: expect.stringContaining('Chroma') }]);
    expect(JSON.stringify(degraded)).not.toContain('token-of-chroma');
  });

  it.each([
    ['managed', 'Chroma runs with the worker, which is away'],
    ['localhost:8000', 'the address of Chroma must begin with'],
  ])(
    'uses lexical search and reports the reason when Chroma cannot be queried: %s',
    async (chromaUrl, reason) => {
      const { strategy, degraded } = await ask({ chromaUrl });
      expect(strategy).toBe('lexical');
      expect(degraded).toEqual([{ part: 'vectors', reason: expect.stringContaining(reason) }]);
    },
  );

  it('reports which setting is missing', async () => {
    await using memory = await openSearch({
      dataDir: test.dataDir,
      settings: { ...SETTINGS, vectorIndex: 'flat', embedder: 'openai-compatible' },
      missing: 'The embedder has no address',
    });
    const { degraded } = await memory.search({ query: 'webhook' });
    expect(degraded).toEqual([{ part: 'vectors', reason: 'The embedder has no address' }]);
  });

  it('reports that vectors are switched off when the setting is none', async () => {
    const { degraded } = await ask({ vectorIndex: 'none' });
    expect(degraded).toEqual([{ part: 'vectors', reason: 'vectors are switched off' }]);
  });

  it('rejects with search/no-memory when there is no database', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'claude-mem-empty-'));
    const opening = openSearch({ dataDir: empty, settings: { ...SETTINGS, vectorIndex: 'flat' } });
    await expect(opening).rejects.toMatchObject({ code: 'search/no-memory' });
    rmSync(empty, { recursive: true });
  });
});
