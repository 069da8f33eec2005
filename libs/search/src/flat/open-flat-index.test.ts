import { describeVectorIndex } from '../testing/describe-vector-index.js';
import { openTestMemory } from './__fixtures__/open-test-memory.js';
import { openFlatIndex } from './open-flat-index.js';
import { createPlainKernels, createVectorKernels } from './vector-kernels.js';

for (const [name, createKernels, maxWholeVectors] of [
  ['flat', createVectorKernels, 64 * 1024],
  ['flat without SIMD', createPlainKernels, 64 * 1024],
  ['flat, sketched', createVectorKernels, 0],
  ['flat, sketched without SIMD', createPlainKernels, 0],
  ['flat, growing out of memory', createVectorKernels, 3],
] as const)
  describeVectorIndex(name, {
    capabilities: { isExact: true },
    open: async () => {
      const memory = await openTestMemory();
      const { tables, storage } = memory;
      const reopen = async () =>
        openFlatIndex({ tables, writer: storage.vectors, model: 'made-up', createKernels, maxWholeVectors });
      const index = await reopen();
      return {
        index,
        reopen,
        observe: memory.observe,
        [Symbol.asyncDispose]: async () => {
          await index.close();
          await memory[Symbol.asyncDispose]();
        },
      };
    },
  });
