import { expect, it } from 'vitest';
import { createHashingEmbedder } from './create-hashing-embedder.js';
import { describeEmbedder } from './describe-embedder.js';

describeEmbedder('hashing', { open: async () => createHashingEmbedder() });

it('returns nearer vectors for texts that share words', async () => {
  const [one, near, far] = (await createHashingEmbedder().embed(
    ['the retry bug in the queue', 'a bug in the queue', 'dark mode contrast'],
    { for: 'document' },
  )) as [Float32Array, Float32Array, Float32Array];
  const dot = (left: Float32Array, right: Float32Array) =>
    left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  expect(dot(one, near)).toBeGreaterThan(dot(one, far) + 0.3);
});
