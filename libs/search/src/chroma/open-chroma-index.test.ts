import { randomUUID } from 'node:crypto';
import { bySize } from '@claude-mem/core/testing';
import { ChromaClient } from 'chromadb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeVectorIndex } from '../testing/describe-vector-index.js';
import type { VectorDocument, VectorMetadata } from '../ports/vector-index.js';
import { NO_BINDINGS, realBindings, startRealServer, temporaryFolder } from './__fixtures__/real-server.js';
import { collectionNameOf } from './collections.js';
import { openChromaIndex } from './open-chroma-index.js';

describe.skipIf(realBindings === null)(realBindings === null ? NO_BINDINGS : 'chroma', () => {
  let server: Awaited<ReturnType<typeof startRealServer>>;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const options = (model: string = randomUUID()) => ({ url: server.url, model, queryLimitMs: 20_000 });

  describeVectorIndex('chroma', {
    capabilities: { isExact: false },
    manyDocuments: bySize({ quick: 2_001, full: 6_001 }),
    open: async () => {
      const chosen = options();
      let index = openChromaIndex(chosen);
      return {
        index,
        reopen: async () => {
          await index.close();
          index = openChromaIndex(chosen);
          return index;
        },
        [Symbol.asyncDispose]: async () => {
          await index.close();
          await openChromaIndex(chosen).clear();
        },
      };
    },
  });

  const collectionsOf = async () => {
    const reply = await fetch(
      `${server.url}/api/v2/tenants/default_tenant/databases/default_database/collections`,
    );
    return ((await reply.json()) as { name: string }[]).map(({ name }) => name);
  };
  const documentOf = (
    id: string,
    vector: number[],
    metadata: Partial<VectorMetadata> = {},
  ): VectorDocument => ({
    id,
    vector: new Float32Array(vector),
    contentHash: id,
    metadata: { observationId: 1, projectId: 1, type: 'discovery', createdAtEpoch: 1000, ...metadata },
  });

  it('B132: finds a document when fields of its metadata are missing', async () => {
    await using index = openChromaIndex(options());
    const bare = {
      observationId: 7,
      projectId: null,
      type: null,
      createdAtEpoch: NaN,
    } as unknown as VectorMetadata;
    await index.upsert([documentOf('obs_7_narrative', [1, 0], bare), documentOf('obs_8_fact_0', [0, 1])]);
    expect(await index.count()).toBe(2);
    expect(await index.nearest({ vector: new Float32Array([1, 0]), limit: 1 })).toEqual([
      { id: 'obs_7_narrative', observationId: 7, score: expect.closeTo(1, 3) },
    ]);
    const filter = { types: ['discovery'] };
    expect(await index.nearest({ vector: new Float32Array([1, 0]), limit: 5, filter })).toHaveLength(1);
  });

  it('B134: creates a new collection when a foreign collection with the same name has vectors of another size', async () => {
    const chosen = options('a model');
    const name = `${collectionNameOf(chosen.model)}-384`;
    const client = new ChromaClient({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    const foreign = await client.createCollection({ name, embeddingFunction: null });
    await foreign.add({ ids: ['theirs'], embeddings: [[1, 0, 0]] });
    await using index = openChromaIndex(chosen);
    const vector = Array<number>(384).fill(0.05);
    await index.upsert([documentOf('ours', vector)]);
    expect(await index.nearest({ vector: new Float32Array(vector), limit: 5 })).toMatchObject([
      { id: 'ours' },
    ]);
    expect(await foreign.count()).toBe(1);
    expect(await collectionsOf()).toContain(`${name}-2`);
  });

  it('B134: rebuilds the collection when it contains vectors of another size', async () => {
    const chosen = options('another model');
    const client = new ChromaClient({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    const name = collectionNameOf(chosen.model);
    const damaged = await client.createCollection({ name: `${name}-4`, embeddingFunction: null });
    await damaged.add({ ids: ['odd'], embeddings: [[1, 0, 0]] });
    const metadata = { collection: `${name}-4`, dimensions: 4 };
    await client.createCollection({ name, metadata, embeddingFunction: null });
    await using index = openChromaIndex(chosen);
    await index.upsert([documentOf('ours', [1, 0, 0, 0])]);
    expect(await index.nearest({ vector: new Float32Array([1, 0, 0, 0]), limit: 5 })).toMatchObject([
      { id: 'ours' },
    ]);
    expect(await collectionsOf()).not.toContain(`${name}-4`);
  });

  it('keeps one collection, for the current vector size, and none after clear', async () => {
    const chosen = options('growing model');
    const name = collectionNameOf(chosen.model);
    const ours = async () => (await collectionsOf()).filter((other) => other.startsWith(name)).toSorted();
    await using index = openChromaIndex(chosen);
    await index.upsert([documentOf('a', [1, 0])]);
    expect(await ours()).toEqual([name, `${name}-2`]);
    await index.upsert([documentOf('a', [1, 0, 0])]);
    expect(await ours()).toEqual([name, `${name}-3`]);
    await index.clear();
    expect(await ours()).toEqual([]);
  });

  it('continues when another process deleted or rebuilt its collection', async () => {
    const chosen = options();
    await using index = openChromaIndex(chosen);
    await using other = openChromaIndex(chosen);
    const nearest = (vector: number[]) => other.nearest({ vector: new Float32Array(vector), limit: 5 });
    await index.upsert([documentOf('a', [1, 0])]);
    expect(await nearest([1, 0])).toHaveLength(1);
    await index.upsert([documentOf('a', [1, 0, 0])]);
    expect(await nearest([1, 0])).toHaveLength(0);
    expect(await nearest([1, 0, 0])).toHaveLength(1);
    await other.clear();
    expect(await index.nearest({ vector: new Float32Array([1, 0, 0]), limit: 5 })).toEqual([]);
    await index.upsert([documentOf('b', [1, 0, 0])]);
    expect(await nearest([1, 0, 0])).toMatchObject([{ id: 'b' }]);
  });

  it('stores vectors of two models separately when their names differ only in punctuation and accents', async () => {
    await using one = openChromaIndex(options('modèle/x@1'));
    await using two = openChromaIndex(options('modele x@1'));
    await one.upsert([documentOf('one', [1, 0])]);
    await two.upsert([documentOf('two', [1, 0])]);
    expect(await one.nearest({ vector: new Float32Array([1, 0]), limit: 5 })).toMatchObject([{ id: 'one' }]);
  });

  it('starts a managed server on request, and a search does not wait for the start beyond its time limit', async () => {
    const { folder, remove } = temporaryFolder();
    try {
      const managed = { dataDir: folder, bindings: realBindings! };
      await using index = openChromaIndex({ managed, model: 'm', queryLimitMs: 1 });
      const vector = new Float32Array([1, 0]);
      await expect(index.nearest({ vector, limit: 1 })).rejects.toMatchObject({
        code: 'search/vector-index-unavailable',
      });
      await using patient = openChromaIndex({ managed, model: 'm', queryLimitMs: 20_000 });
      await patient.upsert([documentOf('a', [1, 0])]);
      expect(await patient.nearest({ vector, limit: 1 })).toHaveLength(1);
    } finally {
      remove();
    }
  });
});
