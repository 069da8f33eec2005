import { noopLogger } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VectorDocument, VectorMetadata } from '../ports/vector-index.js';
import { observeAll, openTestMemory, type TestMemory } from './__fixtures__/open-test-memory.js';
import { openFlatIndex, type FlatIndexOptions } from './open-flat-index.js';

describe('flat index', () => {
  let memory: TestMemory;
  beforeEach(async () => {
    memory = await openTestMemory();
  });
  afterEach(() => memory[Symbol.asyncDispose]());

  const openWriter = (options: Partial<FlatIndexOptions> = {}) =>
    openFlatIndex({ tables: memory.tables, writer: memory.storage.vectors, model: 'one', ...options });
  const openReader = (options: Partial<FlatIndexOptions> = {}) =>
    openFlatIndex({ tables: memory.tables, model: 'one', ...options });

  it.each([64 * 1024, 0])(
    'includes the changes of another writer (at most %i full vectors)',
    async (maxVectorsInMemory) => {
      const random = randomFrom(5);
      const observed = await observeAll(memory.storage, Array(120).fill(ANY), 0);
      await using writer = openWriter();
      await using reader = openReader({ maxVectorsInMemory });
      const kept = new Map<string, VectorDocument>();
      for (let round = 0; round < 12; round += 1) {
        const written = Array.from({ length: 40 }, (_, at) => {
          const metadata = observed[Math.floor(random() * observed.length)]!;
          return documentOf(metadata, at % 5, randomVector(random));
        });
        await writer.upsert(written);
        for (const document of written) kept.set(document.id, document);
        const gone = observed[Math.floor(random() * observed.length)]!.observationId;
        await writer.remove([gone, gone + 1, gone + 2]);
        for (const [id, { metadata }] of kept)
          if (metadata.observationId >= gone && metadata.observationId <= gone + 2) kept.delete(id);
        const vector = randomVector(random);
        const hits = await reader.nearest({ vector, limit: 1000 });
        expect(hits.map(({ id }) => id).toSorted()).toEqual([...kept.keys()].toSorted());
        expect(await reader.nearest({ vector, limit: 10 })).toEqual(hits.slice(0, 10));
        expect(await reader.count()).toBe(kept.size);
        for (const { id, score } of hits) expect(score).toBeCloseTo(dot(vector, kept.get(id)!.vector), 1);
        expect(hits).toEqual(hits.toSorted((left, right) => right.score - left.score));
      }
    },
  );

  it('returns the same scores for full vectors and for sign sketches', async () => {
    const random = randomFrom(9);
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    await using inMemory = openWriter();
    await inMemory.upsert(
      Array.from({ length: 300 }, (_, at) => documentOf(metadata!, at, randomVector(random))),
    );
    await using signs = openReader({ maxVectorsInMemory: 10 });
    for (let round = 0; round < 5; round += 1) {
      const request = { vector: randomVector(random), limit: 20 };
      expect(await signs.nearest(request)).toEqual(await inMemory.nearest(request));
    }
  });

  it('skips vectors of a less frequent size', async () => {
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    const { observationId } = metadata!;
    const put = (names: readonly string[], dimensions: number) =>
      memory.storage.vectors.putVectors({
        model: 'one',
        now: 1,
        rows: names.map((name) => ({
          documentId: `obs_${observationId}_${name}`,
          observationId,
          dimensions,
          scale: 0.1,
          contentHash: name,
          vector: new Uint8Array(dimensions).fill(3),
        })),
      });
    await put(['narrative'], 8);
    await put(['fact_0', 'fact_1'], 16);
    await using reader = openReader();
    const find = (size: number) => reader.nearest({ vector: new Float32Array(size).fill(0.25), limit: 5 });
    expect(await find(16)).toHaveLength(2);
    expect(await find(8)).toEqual([]);
  });

  it.each([64 * 1024, 0])(
    'skips damaged vectors, logs them once and finds the others (at most %i full vectors)',
    async (maxVectorsInMemory) => {
      const observed = await observeAll(memory.storage, Array(6).fill(ANY), 0);
      await using writer = openWriter();
      const vector = new Float32Array([1, 0, 0, 0]);
      await writer.upsert(observed.map((metadata) => documentOf(metadata, 0, vector)));
      const damage = (at: number, damaged: { vector?: Uint8Array; scale?: number }) => {
        const { observationId } = observed[at]!;
        const sound = { dimensions: 4, scale: 1 / 127, vector: new Uint8Array([127, 0, 0, 0]) };
        const row = { documentId: idOf(observed[at]!, 0), observationId, contentHash: 'made up' };
        const rows = [{ ...row, ...sound, ...damaged }];
        return memory.storage.vectors.putVectors({ model: 'one', now: 1, rows });
      };
      await damage(0, { vector: new Uint8Array(1) });
      await damage(1, { vector: new Uint8Array(1000) });
      await damage(2, { scale: Infinity });
      await damage(3, { scale: 0 });
      const reported: unknown[] = [];
      const logger = { ...noopLogger, warn: (data: object) => void reported.push(data) };
      await using reader = openReader({ maxVectorsInMemory, logger });
      const find = async () => (await reader.nearest({ vector, limit: 5 })).map((hit) => hit.observationId);
      expect(await find()).toEqual([observed[5]!.observationId, observed[4]!.observationId]);
      await writer.upsert([documentOf(observed[4]!, 1, vector)]);
      expect(await find()).toHaveLength(3);
      expect(reported).toEqual([{ model: 'one', damaged: 4 }]);
    },
  );

  it('skips vectors that were damaged after their sign sketches were loaded', async () => {
    const observed = await observeAll(memory.storage, Array(3).fill(ANY), 0);
    await using writer = openWriter();
    const vector = new Float32Array([1, 0, 0, 0]);
    await writer.upsert(observed.map((metadata) => documentOf(metadata, 0, vector)));
    const cut = ({ length }: Uint8Array) => new Uint8Array(length - 1);
    const tables: typeof memory.tables = {
      ...memory.tables,
      vectorValues: (ids) => ({ ids, bytes: cut(memory.tables.vectorValues(ids).bytes) }),
      vectorsById: (ids) =>
        memory.tables
          .vectorsById(ids)
          .map((one, at) => (at === 1 ? { ...one, vector: cut(one.vector) } : one)),
    };
    await using reader = openReader({ tables, maxVectorsInMemory: 0 });
    const hits = await reader.nearest({ vector, limit: 5 });
    expect(hits.map(({ observationId }) => observationId)).toEqual([
      observed[2]!.observationId,
      observed[0]!.observationId,
    ]);
    for (const { score } of hits) expect(score).toBeCloseTo(1);
  });

  it('finds the correct documents by sign sketches after a third of them was removed', async () => {
    const random = randomFrom(13);
    const observed = await observeAll(memory.storage, Array(30).fill(ANY), 0);
    await using writer = openWriter({ maxVectorsInMemory: 0 });
    const documents = Array.from({ length: 6000 }, (_, at) =>
      documentOf(observed[at % 30]!, at, randomVector(random)),
    );
    await writer.upsert(documents);
    await writer.nearest({ vector: documents[0]!.vector, limit: 1 });
    await writer.remove(observed.slice(5, 15).map(({ observationId }) => observationId));
    for (const at of [0, 4, 15, 16, 2999, 5996, 5999]) {
      const [best] = await writer.nearest({ vector: documents[at]!.vector, limit: 1 });
      expect(best?.id).toBe(documents[at]!.id);
    }
  });

  it('B078: does not find a deleted observation', async () => {
    const [first, second] = await observeAll(memory.storage, [ANY, ANY], 0);
    await using writer = openWriter();
    await using reader = openReader();
    const vector = new Float32Array([1, 0, 0, 0]);
    await writer.upsert([documentOf(first!, 0, vector), documentOf(second!, 0, vector)]);
    expect(await reader.nearest({ vector, limit: 5 })).toHaveLength(2);
    await memory.storage.store.forget({ ids: [first!.observationId], now: 0 });
    const hits = await reader.nearest({ vector, limit: 5 });
    expect(hits.map(({ observationId }) => observationId)).toEqual([second!.observationId]);
    expect(await reader.nearest({ vector, limit: 5, filter: { types: [ANY.type] } })).toEqual(hits);
  });

  it('contains only vectors of its own model', async () => {
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    const vector = new Float32Array([1, 0, 0, 0]);
    await using other = openWriter({ model: 'two' });
    await using reader = openReader();
    await other.upsert([documentOf(metadata!, 0, vector)]);
    expect(await reader.nearest({ vector, limit: 5 })).toEqual([]);
    expect(await reader.count()).toBe(0);
    await using writer = openWriter();
    await writer.upsert([documentOf(metadata!, 1, vector)]);
    expect((await reader.nearest({ vector, limit: 5 })).map(({ id }) => id)).toEqual([idOf(metadata!, 1)]);
  });

  it('reads new observations before it applies a filter', async () => {
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    const vector = new Float32Array([1, 0, 0, 0]);
    await using writer = openWriter();
    await writer.upsert([documentOf(metadata!, 0, vector)]);
    const withType = (type: string) => writer.nearest({ vector, limit: 5, filter: { types: [type] } });
    expect(await withType('bugfix')).toHaveLength(0);
    expect(await withType(ANY.type)).toHaveLength(1);
    const [later] = await observeAll(memory.storage, [{ ...ANY, type: 'bugfix' }], metadata!.observationId);
    await writer.upsert([documentOf(later!, 0, vector)]);
    expect((await withType('bugfix')).map(({ observationId }) => observationId)).toEqual([
      later!.observationId,
    ]);
  });

  it('finds nothing with a filter while no observations are loaded', async () => {
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    const vector = new Float32Array([1, 0, 0, 0]);
    await using writer = openWriter();
    await writer.upsert([documentOf(metadata!, 0, vector)]);
    const state = () => ({ ...memory.tables.state(), lastDocumentId: 0 });
    await using reader = openReader({ tables: { ...memory.tables, state } });
    expect(await reader.nearest({ vector, limit: 5, filter: { types: [ANY.type] } })).toEqual([]);
  });

  it('rejects writes when it is opened for reading', async () => {
    await using reader = openReader();
    const attempts = [
      () => reader.upsert([documentOf(META, 0, new Float32Array([1]))]),
      () => reader.remove([1]),
    ];
    for (const attempt of [...attempts, () => reader.clear(), () => reader.removeDocuments!(['a'])])
      await expect(attempt()).rejects.toMatchObject({ code: 'search/read-only' });
  });

  it('reports a database error with its cause on every query', async () => {
    const broken = () => {
      throw new Error('the disk is gone');
    };
    await using reader = openReader({ tables: { ...memory.tables, snapshot: broken } });
    for (let round = 0; round < 2; round += 1)
      await expect(reader.nearest({ vector: new Float32Array([1]), limit: 1 })).rejects.toMatchObject({
        code: 'search/vector-index-unavailable',
        cause: expect.objectContaining({ message: 'the disk is gone' }),
      });
  });

  it('yields to the event loop while it loads, and an aborted query does not stop the loading', async () => {
    const [metadata] = await observeAll(memory.storage, [ANY], 0);
    const random = randomFrom(3);
    await using writer = openWriter();
    await writer.upsert(
      Array.from({ length: 9000 }, (_, at) => documentOf(metadata!, at, randomVector(random))),
    );
    let slices = 0;
    const counted = {
      ...memory.tables,
      snapshot: <Value>(work: () => Value) => {
        slices += 1;
        return memory.tables.snapshot(work);
      },
    };
    await using reader = openReader({ tables: counted });
    const controller = new AbortController();
    const first = reader.nearest({ vector: randomVector(random), limit: 1, signal: controller.signal });
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(slices).toBeLessThan(5);
    expect(await reader.nearest({ vector: randomVector(random), limit: 1 })).toHaveLength(1);
    clearInterval(counting);
    expect(slices).toBe(5);
    expect(turns).toBeGreaterThan(0);
    await reader.nearest({ vector: randomVector(random), limit: 1 });
    expect(slices).toBe(5);
  });
});

const ANY = { project: 'one', type: 'discovery', createdAtEpoch: 1000 };
const META: VectorMetadata = { observationId: 1, projectId: 1, type: 'discovery', createdAtEpoch: 1 };

const idOf = ({ observationId }: VectorMetadata, fact: number) => `obs_${observationId}_fact_${fact}`;

function documentOf(metadata: VectorMetadata, fact: number, vector: Float32Array): VectorDocument {
  return { id: idOf(metadata, fact), vector, contentHash: 'made up', metadata };
}

function randomVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: 20 }, () => random() - 0.5);
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0);
}
