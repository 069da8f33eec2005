import { afterAll } from 'vitest';
import { describeVectorIndex } from '../testing/describe-vector-index.js';
import { openTestMemory, type TestMemory } from './__fixtures__/open-test-memory.js';
import { openFlatIndex } from './open-flat-index.js';
import { createPlainKernels, createVectorKernels } from './vector-kernels.js';

/** All tests share one database. Each test uses a different model, so its index starts empty. */
let memory: Promise<TestMemory> | undefined;
let models = 0;
afterAll(async () => {
  await (await memory)?.[Symbol.asyncDispose]();
});

for (const [name, createKernels, maxVectorsInMemory] of [
  ['flat', createVectorKernels, 64 * 1024],
  ['flat without SIMD', createPlainKernels, 64 * 1024],
  ['flat, sketched', createVectorKernels, 0],
  ['flat, sketched without SIMD', createPlainKernels, 0],
  ['flat, growing out of memory', createVectorKernels, 3],
] as const)
  describeVectorIndex(name, {
    capabilities: { isExact: true },
    open: async () => {
      memory ??= openTestMemory();
      const { tables, storage, observe } = await memory;
      models += 1;
      const model = `model-${models}`;
      const reopen = async () =>
        openFlatIndex({ tables, writer: storage.vectors, model, createKernels, maxVectorsInMemory });
      const index = await reopen();
      return {
        index,
        reopen,
        observe,
        [Symbol.asyncDispose]: async () => {
          await index.close();
          await storage.vectors.removeVectors({ all: true });
        },
      };
    },
  });
