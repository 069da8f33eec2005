import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashingEmbedder } from '../../testing/create-hashing-embedder.js';
import { describeEmbedder } from '../../testing/describe-embedder.js';
import {
  createTransformersEmbedder,
  type TransformersEmbedderOptions,
  type TransformersPipeline,
} from './create-transformers-embedder.js';

/** Simulates a pipeline with hashes instead of a model. */
function fakePipeline() {
  const seen: { texts: string[]; options: object }[] = [];
  let isDisposed = false;
  const hashing = createHashingEmbedder();
  const run = async (texts: string[], options: object) => {
    seen.push({ texts, options });
    const vectors = await hashing.embed(texts, { for: 'document' });
    return { tolist: (): unknown => vectors.map((vector) => [...vector].map((value) => value * 3)) };
  };
  const pipeline: TransformersPipeline = Object.assign(run, {
    dispose: async () => {
      isDisposed = true;
    },
  });
  return { pipeline, seen, isDisposed: () => isDisposed };
}

const open = (options: Partial<TransformersEmbedderOptions> = {}) => {
  const fake = fakePipeline();
  const opened: [string, object][] = [];
  const embedder = createTransformersEmbedder({
    model: 'Xenova/all-MiniLM-L6-v2',
    openPipeline: async (model, loading) => {
      opened.push([model, loading]);
      return fake.pipeline;
    },
    ...options,
  });
  return { embedder, opened, ...fake };
};

describeEmbedder('transformers', { open: async () => open().embedder });

describe('transformers embedder', () => {
  it('loads the model once, with the first text, and disposes it on close', async () => {
    const { embedder, opened, seen, isDisposed } = open();
    expect(opened).toEqual([]);
    await Promise.all([
      embedder.embed(['a'], { for: 'query' }),
      embedder.embed(['b', ''], { for: 'document' }),
    ]);
    expect(opened).toEqual([['Xenova/all-MiniLM-L6-v2', { dtype: 'q8' }]]);
    expect(seen.map(({ options }) => options)).toEqual([
      { pooling: 'mean', normalize: true },
      { pooling: 'mean', normalize: true },
    ]);
    await embedder.close();
    expect(isDisposed()).toBe(true);
  });

  it('includes every option that changes a vector in the model name', () => {
    const names = [
      open().embedder.model,
      open({ dtype: 'fp32' }).embedder.model,
      open({ pooling: 'cls' }).embedder.model,
      open({ prefixes: { query: 'query: ', document: 'passage: ' } }).embedder.model,
      open({ model: '/models/bge-small' }).embedder.model,
    ];
    expect(names[0]).toBe('all-MiniLM-L6-v2/q8/mean');
    expect(new Set(names).size).toBe(5);
  });

  it('adds the configured prefix for queries and documents to a text', async () => {
    const { embedder, seen } = open({ prefixes: { query: 'query: ', document: 'passage: ' } });
    await embedder.embed(['x'], { for: 'query' });
    await embedder.embed(['y'], { for: 'document' });
    expect(seen.map(({ texts }) => texts)).toEqual([['query: x'], ['passage: y']]);
  });

  it.each([
    ['too few', [[1, 0]]],
    [
      'no numbers',
      [
        ['a', 'b'],
        [1, 0],
      ],
    ],
    [
      'two sizes',
      [
        [1, 0],
        [1, 0, 0],
      ],
    ],
    ['nothing', null],
  ])('rejects vectors: %s', async (_, answer) => {
    const { embedder } = open({ openPipeline: async () => async () => ({ tolist: () => answer }) });
    await expect(embedder.embed(['a', 'b'], { for: 'document' })).rejects.toMatchObject({
      code: 'search/embedder-unavailable',
    });
  });

  it('loads a model again with the next text when loading failed', async () => {
    let tries = 0;
    const { pipeline } = fakePipeline();
    const { embedder } = open({
      openPipeline: async () => {
        tries += 1;
        if (tries === 1) throw new Error('no such file');
        return pipeline;
      },
    });
    await expect(embedder.embed(['a'], { for: 'query' })).rejects.toMatchObject({
      code: 'search/embedder-unavailable',
      message: 'The model Xenova/all-MiniLM-L6-v2 cannot be used: no such file',
    });
    expect(await embedder.embed(['a'], { for: 'query' })).toHaveLength(1);
  });

  it('names the install command when the package is missing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'transformers-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = path.join(folder, 'program.mjs');
    await build({
      stdin: {
        resolveDir: import.meta.dirname,
        contents: `
          import { createTransformersEmbedder } from './index.js';
          const embedder = createTransformersEmbedder({ model: 'Xenova/all-MiniLM-L6-v2' });
          await embedder.embed(['a'], { for: 'query' }).catch(({ code, message }) => console.log(code, message));
        `,
      },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@claude-mem/source'],
    });
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
    expect(stdout).toMatch(/^search\/embedder-unavailable .*npm install @huggingface\/transformers/);
  });
});
