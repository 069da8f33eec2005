import { describeVectorIndex } from '../testing/describe-vector-index.js';
import { createMemoryTables } from './__fixtures__/memory-tables.js';
import { openFlatIndex } from './open-flat-index.js';
import { createPlainKernels, createVectorKernels } from './vector-kernels.js';

for (const [name, createKernels, maxExactVectors] of [
  ['flat', createVectorKernels, 64 * 1024],
  ['flat without SIMD', createPlainKernels, 64 * 1024],
  ['flat, sketched', createVectorKernels, 0],
  ['flat, sketched without SIMD', createPlainKernels, 0],
  ['flat, growing out of memory', createVectorKernels, 3],
] as const)
  describeVectorIndex(name, {
    capabilities: { isExact: true },
    open: async () => {
      const { tables, writer, addObservation } = createMemoryTables();
      const reopen = async () =>
        openFlatIndex({ tables, writer, model: 'made-up', createKernels, maxExactVectors });
      const index = await reopen();
      const projects: string[] = [];
      return {
        index,
        reopen,
        observe: async ({ project, ...rest }) => {
          if (!projects.includes(project)) projects.push(project);
          return addObservation({ projectId: projects.indexOf(project) + 1, ...rest });
        },
        [Symbol.asyncDispose]: () => index.close(),
      };
    },
  });
