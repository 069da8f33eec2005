import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { observeAll, openTestMemory } from './__fixtures__/open-test-memory.js';
import { openFlatIndex } from './open-flat-index.js';
import { createPlainKernels, createVectorKernels } from './vector-kernels.js';

const SIZE = 512;
const VECTORS = 12_000;

it('finds over 97 % of the nearest vectors by sign sketches, with and without full vectors, SIMD or a filter', async () => {
  await using memory = await openTestMemory();
  const random = randomFrom(21);
  const observed = await observeAll(
    memory.storage,
    Array.from({ length: 10 }, (_, at) => ({ project: `p${at % 2}`, type: 'discovery', createdAtEpoch: at })),
    0,
  );
  const centres = Array.from({ length: 40 }, () => randomVector(random));
  const nearOne = () => mixed(centres[Math.floor(random() * centres.length)]!, randomVector(random));
  const documents = Array.from({ length: VECTORS }, (_, at) => {
    const metadata = observed[at % observed.length]!;
    return { id: `obs_${metadata.observationId}_fact_${at}`, vector: nearOne(), contentHash: '', metadata };
  });
  const { tables, storage } = memory;
  const open = (maxVectorsInMemory: number, createKernels = createVectorKernels) =>
    openFlatIndex({ tables, writer: storage.vectors, model: 'm', maxVectorsInMemory, createKernels });
  await using inMemory = open(VECTORS);
  await using byDatabase = open(1000);
  await using inMemoryPlain = open(VECTORS, createPlainKernels);
  await using byDatabasePlain = open(1000, createPlainKernels);
  await inMemory.upsert(documents);

  const projectId = observed[0]!.projectId;
  for (const filter of [undefined, { projectIds: [projectId] }]) {
    const allowed = documents.filter(
      ({ metadata }) => filter === undefined || metadata.projectId === projectId,
    );
    let found = 0;
    for (let round = 0; round < 10; round += 1) {
      const vector = nearOne();
      const truth = allowed
        .map((document) => ({ id: document.id, score: dot(vector, document.vector) }))
        .sort((left, right) => right.score - left.score)
        .slice(0, 50);
      for (const [index, plain] of [
        [inMemory, inMemoryPlain],
        [byDatabase, byDatabasePlain],
      ] as const) {
        const request = { vector, limit: 50, ...(filter && { filter }) };
        const hits = await index.nearest(request);
        expect(hits).toHaveLength(50);
        expect(await plain.nearest(request)).toEqual(hits);
        found += truth.filter(({ id }) => hits.some((hit) => hit.id === id)).length;
      }
    }
    expect(found / 1000).toBeGreaterThan(0.97);
  }
});

function randomVector(random: () => number): Float32Array {
  return unit(Float32Array.from({ length: SIZE }, () => random() + random() + random() - 1.5));
}

function mixed(left: Float32Array, right: Float32Array): Float32Array {
  return unit(left.map((value, at) => value + 0.8 * right[at]!));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}
