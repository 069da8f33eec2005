import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHashingEmbedder } from '@claude-mem/search/testing';
import { inspectDatabase, writeSettings } from '@claude-mem/testing';
import type { Health, IndexState, SearchReply } from '@claude-mem/worker-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTestHome,
  startTestWorker,
  until,
  type TestHome,
  type TestWorker,
} from '../testing/start-test-worker.js';

/** An embedding server whose behaviour a test sets. */
interface EmbeddingServer extends AsyncDisposable {
  url: string;
  /** The received texts, by model. */
  texts: Map<string, string[]>;
  /** `half`: refuses all requests after the first answer with vectors of records. */
  behave(how: 'well' | 'half' | 'refuse' | 'slowly' | 'wrongly'): void;
}

async function startEmbeddingServer(): Promise<EmbeddingServer> {
  let how: Parameters<EmbeddingServer['behave']>[0] = 'well';
  const texts = new Map<string, string[]>();
  const embedder = createHashingEmbedder({ dimensions: 64 });
  const server = createServer((request, response) => {
    void (async () => {
      const { model, input, encoding_format } = JSON.parse(await bodyOf(request)) as {
        model: string;
        input: string | string[];
        encoding_format?: string;
      };
      const isOver = how === 'half' && [...texts.values()].flat().length > 1;
      if (how === 'refuse' || isOver)
        return response.writeHead(503).end('{"error":{"message":"out of order"}}');
      while (how === 'slowly') await new Promise((resolve) => setTimeout(resolve, 10));
      const wanted = [input].flat();
      texts.set(model, [...(texts.get(model) ?? []), ...wanted]);
      const vectors = await embedder.embed(wanted, { for: 'document' });
      const data = vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: how === 'wrongly' ? [] : encode(vector, encoding_format),
      }));
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    texts,
    behave: (next) => void (how = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

const encode = (vector: Float32Array, format: string | undefined) =>
  format === 'base64'
    ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
    : [...vector];

const RECORDS = Array.from({ length: 50 }, (_, index) => ({
  uid: `u-${index}`,
  project: '/repos/demo',
  title: `Record ${index}: ${['tokens', 'uploads', 'queues', 'windows', 'backups'][index % 5]} are limited`,
  narrative: `Word${index} was found in the module of number ${index}.`,
}));

describe('semantic search when the embedder or the vector index fails', { timeout: 60_000 }, () => {
  let home: TestHome;
  let worker: TestWorker;
  let server: EmbeddingServer;
  afterEach(async () => {
    await worker[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });

  async function start(how: Parameters<EmbeddingServer['behave']>[0], settings: object = {}) {
    home = createTestHome();
    server = await startEmbeddingServer();
    server.behave(how);
    writeSettings(home.paths, settingsOf(settings));
    worker = await startTestWorker({ home, hasEmbedder: true });
    const taken = await worker.ask({ method: 'POST', path: '/api/import', body: RECORDS });
    expect(taken.json).toMatchObject({ inserted: 50 });
  }
  const settingsOf = (more: object) => ({
    CLAUDE_MEM_EMBEDDER: 'openai-compatible',
    CLAUDE_MEM_EMBEDDER_BASE_URL: server.url,
    CLAUDE_MEM_EMBEDDER_MODEL: 'model-a',
    ...more,
  });
  const search = async (query: string) =>
    (await worker.ask({ path: `/api/search?query=${encodeURIComponent(query)}` })).json as SearchReply;
  const state = async () => (await worker.ask({ path: '/api/reindex' })).json as IndexState;
  const hurry = () => worker.ask({ method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
  const isFound = async (number: number) => {
    const { items } = await search(`word${number}`);
    return items.some(({ item }) => item.uid === `u-${number}`);
  };
  const untilComplete = async () => {
    await hurry();
    await until(async () => (await state()).isDone);
    await until(async () => (await search('limited uploads')).degraded.length === 0);
  };

  it('B074, P014: finds records, reports the embedder when it refuses, and uses it when it works again', async () => {
    await start('refuse');
    expect(await isFound(7)).toBe(true);
    expect((await search('word7')).degraded).toHaveLength(1);
    await until(async () => (await state()).vectors.problem !== null);
    const { notices } = (await worker.health()) as Health;
    expect(notices.join(' ')).toContain('Search by meaning');
    server.behave('well');
    await untilComplete();
    expect((await search('limited uploads')).strategy).toBe('hybrid');
    expect(await worker.health()).toMatchObject({ status: 'ok' });
  });

  it('B075, P014: finds every record when only half of the vectors exist', async () => {
    await start('half');
    await until(async () => (await state()).vectors.waiting < 50);
    await until(async () => (await state()).vectors.problem !== null);
    expect((await state()).vectors.waiting).toBeGreaterThan(0);
    for (const number of [0, 1, 25, 48, 49]) expect(await isFound(number), `word${number}`).toBe(true);
    server.behave('well');
    await untilComplete();
  });

  it('P014: answers when the embedder is slow, and rejects invalid vectors', async () => {
    await start('well');
    await untilComplete();
    server.behave('slowly');
    const slow = await search('queues that were never asked for');
    expect(slow.items.length).toBeGreaterThan(0);
    expect(slow.degraded).not.toEqual([]);
    server.behave('wrongly');
    expect((await search('windows of another kind')).items.length).toBeGreaterThan(0);
    server.behave('well');
    await until(async () => (await search('limited backups')).degraded.length === 0);
  });

  it('B134, P014: embeds all records again in the background when the model changes, and deletes the old vectors', async () => {
    await start('well');
    await untilComplete();
    expect(server.texts.get('model-b')).toBeUndefined();
    const before = (await state()).vectors.model;
    writeSettings(home.paths, settingsOf({ CLAUDE_MEM_EMBEDDER_MODEL: 'model-b' }));
    await until(async () => (await state()).vectors.model !== before);
    for (let number = 0; number < 50; number += 10) expect(await isFound(number)).toBe(true);
    await untilComplete();
    expect(new Set(server.texts.get('model-b')).size).toBeGreaterThanOrEqual(50);
    const models = inspectDatabase(home.paths, (peek) =>
      peek.rows('SELECT model, count(*) AS count FROM vectors GROUP BY model'),
    );
    expect(models).toEqual([{ model: expect.stringContaining('model-b'), count: 50 }]);
  });

  it('P014: names CLAUDE_MEM_EMBEDDER_MODEL when it is missing, and finds records by lexical search', async () => {
    await start('well', { CLAUDE_MEM_EMBEDDER_MODEL: '' });
    await until(async () => (await state()).vectors.problem !== null);
    expect((await state()).vectors.problem).toContain('CLAUDE_MEM_EMBEDDER_MODEL');
    expect(await isFound(3)).toBe(true);
    writeSettings(home.paths, settingsOf({}));
    await untilComplete();
  });

  it('B136, P014: finds records and reports the Chroma server when it is not reachable', async () => {
    await start('well', { CLAUDE_MEM_VECTOR_INDEX: 'chroma', CLAUDE_MEM_CHROMA_URL: 'http://127.0.0.1:1' });
    expect(await isFound(11)).toBe(true);
    expect((await search('word11')).degraded).toContainEqual({
      part: 'vectors',
      reason: expect.stringContaining('Chroma'),
    });
    await until(async () => (await state()).vectors.problem !== null);
    writeSettings(home.paths, settingsOf({ CLAUDE_MEM_VECTOR_INDEX: 'flat' }));
    await until(async () => (await state()).vectors.index === 'flat');
    await untilComplete();
  });

  it('P014: finds records and reports the Chroma address when it is invalid', async () => {
    const chroma = { CLAUDE_MEM_VECTOR_INDEX: 'chroma', CLAUDE_MEM_CHROMA_URL: 'localhost:8000' };
    await start('well', chroma);
    expect(await isFound(11)).toBe(true);
    const { degraded } = await search('word11');
    expect(degraded).toEqual([{ part: 'vectors', reason: expect.stringContaining('address of Chroma') }]);
    await until(async () => (await state()).vectors.problem !== null);
    expect((await state()).vectors.problem).toContain('address of Chroma');
    writeSettings(home.paths, settingsOf({ CLAUDE_MEM_VECTOR_INDEX: 'flat' }));
    await untilComplete();
  });

  it('embeds no text again after a restart', async () => {
    await start('well');
    await untilComplete();
    const asked = [...server.texts.values()].flat().length;
    await worker.stop();
    worker = await startTestWorker({ home, hasEmbedder: true });
    await hurry();
    await until(async () => (await state()).isDone);
    expect([...server.texts.values()].flat()).toHaveLength(asked);
  });
});
