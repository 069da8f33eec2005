import { mkdtempSync, rmSync, truncateSync, statSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../src/ports/embedder.js';
import type { VectorHit, VectorIndex } from '../src/ports/vector-index.js';
import { createHashingEmbedder } from '../src/testing/index.js';
import { createCachedEmbedder } from './cached-embedder.js';
import { createNoiseIndex, createRedirectedEmbedder } from './noise.js';

describe('simulated noise', () => {
  it('replaces the vectors of the configured texts only', async () => {
    await using inner = createHashingEmbedder();
    const liar = createRedirectedEmbedder(inner, new Map([['a b', 'cats and dogs']]));
    const [lie, truth] = await liar.embed(['a\n b', 'other'], { for: 'query' });
    const [cats, other] = await inner.embed(['cats and dogs', 'other'], { for: 'query' });
    expect(lie).toEqual(cats);
    expect(truth).toEqual(other);
  });

  it('gives the same random results of an index in every run', async () => {
    const asked: Float32Array[] = [];
    const hits: VectorHit[] = [1, 2, 3].map((id) => ({
      id: `obs_${id}_narrative`,
      observationId: id,
      score: 1,
    }));
    const inner = {
      nearest: ({ vector }: { vector: Float32Array }) => (asked.push(vector), Promise.resolve(hits)),
    } as unknown as VectorIndex;
    const noise = createNoiseIndex(inner);
    const vector = new Float32Array([1, 0, 0, 0]);
    const first = await noise.nearest({ vector, limit: 3 });
    expect(await noise.nearest({ vector, limit: 3 })).toEqual(first);
    expect(asked[0]).not.toEqual(vector);
    expect(Math.hypot(...(asked[0] ?? []))).toBeCloseTo(1, 5);
    expect(first.map(({ score }) => score)).toEqual(first.map(({ score }) => score).sort((a, b) => b - a));
    expect(new Set(first.map(({ score }) => score)).size).toBe(3);
  });
});

describe('the cache of an embedder', () => {
  it('calls the model once per text and use, also in the next run and after an aborted run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cached-embedder-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const asked: string[] = [];
    const inner = createHashingEmbedder({ dimensions: 8 });
    const counted: Embedder = {
      ...inner,
      embed: (texts, options) => (asked.push(...texts), inner.embed(texts, options)),
    };
    const open = () => createCachedEmbedder(counted, { folder, dimensions: 8 });
    const first = await open().embed(['one', 'two'], { for: 'document' });
    expect(await open().embed(['one', 'two'], { for: 'document' })).toEqual(first);
    expect(asked).toEqual(['one', 'two']);
    await open().embed(['one'], { for: 'query' });
    expect(asked).toEqual(['one', 'two', 'one']);
    const file = join(folder, readdirSync(folder)[0] ?? '');
    truncateSync(file, statSync(file).size - 1);
    await open().embed(['one'], { for: 'query' });
    expect(asked).toEqual(['one', 'two', 'one', 'one']);
    await open().embed(['one'], { for: 'query' });
    expect(asked).toEqual(['one', 'two', 'one', 'one']);
    expect(await open().embed(['one', 'two'], { for: 'document' })).toEqual(first);
  });
});
